"""`python -m famulus_kernel.cards FOLDER`: what `famulus-notebook cards` does."""

from __future__ import annotations

import sys

from famulus_kernel.cli import main

if __name__ == "__main__":
    sys.argv = ["famulus-notebook", "cards", *sys.argv[1:]]
    main()
