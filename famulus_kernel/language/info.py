"""What the language is called where notebooks and kernels say it (`language_info` of the Jupyter protocol)."""

from __future__ import annotations

from famulus_kernel.version import __version__

LANGUAGE_INFO: dict[str, object] = {
    "name": "famulus",
    "version": __version__,
    "mimetype": "text/x-famulus",
    "file_extension": ".fam",
    "pygments_lexer": "famulus",
    "codemirror_mode": {"name": "famulus", "mime": "text/x-famulus", "extensions": ["yaml"]},
    "nbconvert_exporter": "markdown",
}
