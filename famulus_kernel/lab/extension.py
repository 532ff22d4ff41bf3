"""The server's part of the extension: it is put in before the contents manager is made, and answers the panel."""

# mypy: allow-untyped-calls
# Jupyter's own classes are only partly annotated.

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp


def link(server: ServerApp) -> None:
    """Have the server make a contents manager that shows `.fam` as notebooks, of the class that it was to make.

    Jupyter calls this when the configuration is read and nothing is made yet: whoever asks for the contents manager
    later gets this one.
    """
    from famulus_kernel.lab.contents import with_notebooks  # noqa: PLC0415 - only servers need a server's libraries

    server.contents_manager_class = with_notebooks(server.contents_manager_class)


def load(server: ServerApp) -> None:
    """Answer what the panel of blocks asks."""
    from jupyter_server.utils import url_path_join  # noqa: PLC0415 - see link

    from famulus_kernel.lab.blocks import BlocksHandler  # noqa: PLC0415 - see link

    base = server.web_app.settings["base_url"]
    server.web_app.add_handlers(".*$", [(url_path_join(base, "famulus", "blocks"), BlocksHandler)])
