"""JupyterLab (spec 7.2): `.fam` files are notebooks, outputs come from the store, a panel lists the blocks.

`contents` turns files into notebooks and back, `outputs` takes from the store what cells have shown, `blocks` answers
the panel; `extension` puts them into a Jupyter server. What runs in the browser is in the folder `labextension/`.
Jupyter finds the functions below by their names.
"""

from __future__ import annotations

from famulus_kernel.lab.extension import link as _link_jupyter_server_extension
from famulus_kernel.lab.extension import load as _load_jupyter_server_extension


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Tell Jupyter's server where its extension is: here."""
    return [{"module": "famulus_kernel.lab"}]


__all__ = [
    "_jupyter_server_extension_points",
    "_link_jupyter_server_extension",
    "_load_jupyter_server_extension",
]
