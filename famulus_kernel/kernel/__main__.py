"""`python -m famulus_kernel.kernel -f <connection file>`: what the kernelspec starts."""

from __future__ import annotations

import argparse

from famulus_kernel.kernel.serving import serve


def main() -> None:
    """Serve one client until it shuts the kernel down. Arguments that other kernels know are passed over."""
    parser = argparse.ArgumentParser(prog="python -m famulus_kernel.kernel", description="The Famulus kernel.")
    parser.add_argument("-f", dest="connection_file", required=True, help="the file that Jupyter wrote for this kernel")
    arguments, _ = parser.parse_known_args()
    serve(arguments.connection_file)


if __name__ == "__main__":
    main()
