"""`python -m famulus_kernel.cli`: the command line without its script."""

from famulus_kernel.cli import main

main()
