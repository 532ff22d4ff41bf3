"""How far a long query is, shown in the place where its result will stand."""

from __future__ import annotations

import time
from html import escape
from typing import TYPE_CHECKING, Any

from famulus_kernel.artefacts.labels import label
from famulus_kernel.corpus.progress import in_words

if TYPE_CHECKING:
    from famulus_kernel.corpus.progress import Progress
    from famulus_kernel.kernel.frontend import Frontend

_EVERY_S = 0.5


class ProgressDisplay:
    """Shows the progress of the block that plays, at most twice a second. Short work shows none.

    Parameters
    ----------
    frontend
        Where it is shown.
    lang
        The language of its words, a BCP 47 tag.
    """

    def __init__(self, frontend: Frontend, lang: str = "en") -> None:
        self._frontend = frontend
        self._lang = lang
        self._block = ""
        self._display: str | None = None
        self._shown = 0.0

    def begin(self, block: str) -> None:
        """Say which block plays from now on."""
        self._block = block

    def advance(self, progress: Progress) -> None:
        """Show how far the running query is. The first call comes when a second has passed."""
        now = time.monotonic()
        if self._display is not None and now - self._shown < _EVERY_S:
            return
        self._shown = now
        self._put(_drawn(self._block, progress, self._lang))

    def finish(self, bundle: dict[str, Any]) -> None:
        """Show the result, in the place of the progress where there was some; an empty bundle is nothing to be seen.

        Not as one more state of the progress: Jupyter's console passes those over, and the answer would not be seen.
        """
        if self._display is not None:
            self._frontend.clear(wait=bool(bundle))
        if bundle:
            self._frontend.display(bundle)

    def stop(self) -> None:
        """Take the progress away: there will be no result."""
        if self._display is not None:
            words = f"{self._block}: {label('progress.stopped', self._lang)}"
            self._frontend.replace(self._display, {"text/plain": words})

    def _put(self, bundle: dict[str, Any]) -> None:
        if self._display is None:
            self._display = self._frontend.display(bundle)
        else:
            self._frontend.replace(self._display, bundle)


def _drawn(block: str, progress: Progress, lang: str) -> dict[str, Any]:
    words = f"{block}: {in_words(progress, lang)}"
    value = "" if progress.fraction is None else f' value="{progress.fraction:.3f}"'
    bar = f'<progress aria-label="{escape(block)}"{value}></progress>'
    return {"text/plain": words, "text/html": f'<div class="famulus-progress">{bar} {escape(words)}</div>'}
