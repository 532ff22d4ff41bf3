"""The harness that ships with famulus: it plays partituren in this process, with no server and no model (spec 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from famulus_kernel.harness.partitur import Document
    from famulus_kernel.harness.request import RunRequest, RunResult


class EmbeddedHarness:
    """Looks partituren up in the register and lets the conductor play them."""

    name = "embedded"

    def subtasks(self) -> tuple[str, ...]:
        """Return the registered subtasks, aliases included."""
        from famulus_kernel.corpus.subtasks import names  # noqa: PLC0415 - a mere status loads no corpus

        return names()

    def check(self, request: RunRequest) -> None:
        """Raise what is wrong with a request as far as that can be seen without any data.

        Raises
        ------
        UnknownPartitur
            The register has none of that id, version or goal_path.
        UnknownSubtask
            No subtask has that name.
        UnboundInput
            An input is missing, unknown or of no use.
        MissingCountingMode
            Lemmata are counted, and the block does not say how.
        """
        from famulus_kernel.harness.conductor import check  # noqa: PLC0415 - a mere status plays nothing

        check(_document(request), request)

    def run(self, request: RunRequest) -> RunResult:
        """Play a request.

        Raises
        ------
        FamulusError
            What :meth:`check` raises, and what the data do not bear.
        """
        from famulus_kernel.harness.conductor import play  # noqa: PLC0415 - a mere status plays nothing

        if request.surroundings is None:
            self.check(request)
            raise UnboundInput.of("surroundings", request.partitur)
        return play(_document(request), request)


def _document(request: RunRequest) -> Document:
    from famulus_kernel.harness.register import open_register  # noqa: PLC0415 - a mere status plays nothing

    register = request.register if request.register is not None else open_register(None)
    return register.lookup(request.partitur).document
