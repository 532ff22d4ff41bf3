"""The kinds that famulus ships, one module each; `build.builders` finds them."""
