"""`famulus-notebook`: parse, call, print. Nothing of the language is decided here."""

from famulus_kernel.cli.app import main

__all__ = ["main"]
