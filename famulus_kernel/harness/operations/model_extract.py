"""`model.extract`: a model reads something out of a text, in the form of a JSON Schema (spec 3.5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import AnswerMisfit, UnboundInput, listed
from famulus_kernel.harness.contract import check_contract
from famulus_kernel.harness.operations.model_call import RESERVED, ask
from famulus_kernel.harness.operations.operation import words

if TYPE_CHECKING:
    from famulus_kernel.harness.operations.operation import Stage
    from famulus_kernel.harness.request import RunRequest

_KNOWN = ("prompt", "schema", "text")


class ModelExtract:
    """Gives the JSON value that a model makes of `prompt`, and of `text` below it; it fits `schema`."""

    name = "model.extract"
    version = 1
    verbatim = ("schema",)

    def accepts(self, given: Mapping[str, Any], inputs: Mapping[str, Any]) -> Collection[str]:  # noqa: ARG002 - Checks
        """Return nothing: it takes no inputs of its own."""
        return ()

    def check(self, given: Mapping[str, Any], request: RunRequest) -> None:  # noqa: ARG002 - Checks
        """Raise what is wrong with `with`.

        Raises
        ------
        UnboundInput
            A word is unknown, there is no schema, or it asks for counts, entries or findings.
        PartiturError
            The schema is no JSON Schema.
        """
        words(given, self.name, _KNOWN, ("schema",))
        schema = given["schema"]
        if not isinstance(schema, Mapping):
            raise UnboundInput.bad_value("schema", self.name, "a JSON Schema: a mapping")
        check_contract(schema)
        properties = schema.get("properties", {})
        if isinstance(properties, Mapping) and RESERVED & properties.keys():
            raise UnboundInput.bad_value(
                "schema", self.name, f"a schema without {listed(sorted(RESERVED))}, which never come from a model"
            )

    def play(self, given: Mapping[str, Any], stage: Stage) -> Any:
        """Return the value that was read out.

        Raises
        ------
        UnboundInput
            What :meth:`check` raises, or there is no `prompt`.
        AnswerMisfit
            It has counts, entries or findings although the schema does not ask for them.
        FamulusError
            What :func:`ask` raises.
        """
        self.check(given, stage.request)
        words(given, self.name, _KNOWN, ("prompt",))
        prompt, text = given["prompt"], given.get("text")
        asked = f"{prompt}\n\n{text}" if isinstance(prompt, str) and text is not None else prompt
        found = ask(stage, self.name, asked, given["schema"])
        if isinstance(found.data, dict) and (counted := RESERVED & found.data.keys()):
            why = f"gave {listed(sorted(counted))}, which never come from a model"
            raise AnswerMisfit.of(str(stage.offers.model), found.endpoint, why)
        return found.data


OPERATION = ModelExtract()
