"""`famulus-notebook`: parse, call, print. Nothing of the language is decided here."""

import os

# Looking for plugins of pydantic reads the metadata of every installed package, at each start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from famulus_kernel.cli.app import main

__all__ = ["main"]
