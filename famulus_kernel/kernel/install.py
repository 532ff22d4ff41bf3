"""Install the kernelspec, so that Jupyter and Quarto find the kernel (spec 7.1)."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from famulus_kernel.resources import kernelspec_dir

NAME = "famulus"


def install(*, user: bool = True, prefix: str | None = None, sys_prefix: bool = False) -> Path:
    """Install the kernelspec with the Python that runs now as its first word, and return its folder.

    The one that the wheel brings says `python`, which is right within its own environment only.

    Parameters
    ----------
    user
        For this user.
    prefix
        Below this folder, in `share/jupyter/kernels`.
    sys_prefix
        Below the running environment; goes before `user`.

    Raises
    ------
    OSError
        When the folder cannot be written.
    """
    from jupyter_client.kernelspec import KernelSpecManager  # noqa: PLC0415 - the command line asks for it rarely

    below = sys.prefix if sys_prefix else prefix
    with tempfile.TemporaryDirectory() as place:
        source = Path(place, NAME)
        shutil.copytree(kernelspec_dir(), source)
        file = source / "kernel.json"
        spec = json.loads(file.read_text(encoding="utf-8"))
        spec["argv"][0] = sys.executable
        file.write_text(json.dumps(spec, indent=1) + "\n", encoding="utf-8")
        installed = KernelSpecManager().install_kernel_spec(
            str(source), kernel_name=NAME, user=user and below is None, prefix=below
        )
    return Path(installed)
