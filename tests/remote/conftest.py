"""A good server to ask."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

TOOLS = textwrap.dedent(
    '''
    import sys, time
    from famulus_kernel.errors import UnboundInput
    from famulus_kernel.remote import serve

    def add(a: int, b: int) -> dict[str, int]:
        """Add two numbers."""
        return {"sum": a + b}

    def echo(text: str) -> str:
        """Say it again."""
        return text

    def notes(text: str) -> list[dict[str, str]]:
        """Return a list."""
        return [{"note": text}]

    def fill(size: int) -> str:
        """Return that many letters."""
        return "x" * size

    def wait(seconds: float) -> str:
        """Take that long."""
        time.sleep(seconds)
        return "done"

    def refuse() -> str:
        """Say what is missing."""
        raise UnboundInput.of("lemma", "refuse")

    def crash() -> str:
        """Fail."""
        raise RuntimeError("a word of the inside")

    serve([add, echo, notes, fill, wait, refuse, crash], name="tests", port=0, ready=lambda url: print(url, flush=True))
    '''
)


@pytest.fixture(scope="session")
def server():
    """The URL of a good server."""
    process = subprocess.Popen(
        [sys.executable, "-c", TOOLS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait(10)
    process.stdout.close()
