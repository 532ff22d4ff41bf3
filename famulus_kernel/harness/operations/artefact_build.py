"""`artefact.build`: what the block's artefacts of a kind are built from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import PreambleError, UnboundInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.harness.operations.operation import Stage


class ArtefactBuild:
    """Offers what stands in `with`, beside `kind`, as the input of that kind's builder."""

    name = "artefact.build"
    version = 1

    def play(self, given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
        """Offer the input, as an `artifact:<kind>` step would give it, and return it.

        Raises
        ------
        UnboundInput, PreambleError
            There is no `kind`, or nobody builds such.
        """
        from famulus_kernel.artefacts.build import builders  # noqa: PLC0415 - a mere status builds nothing

        kind = given.get("kind")
        if not isinstance(kind, str):
            raise UnboundInput.of("kind", self.name)
        if kind not in builders():
            raise PreambleError.unknown_kind(kind, builders())
        made = {key: value for key, value in given.items() if key != "kind"}
        stage.offers.payloads[kind] = made
        return made


OPERATION = ArtefactBuild()
