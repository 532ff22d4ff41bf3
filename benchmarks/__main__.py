"""Run the measures and print one table: `python -m benchmarks [NAME…]`."""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
from pathlib import Path

MEASURES = (
    "status",
    "reading",
    "kernel",
    "pages",
    "site",
    "command_line",
    "corpora",
    "importing",
    "completion",
    "cards",
)
"""Each is a module of this package with a function `measure`."""
WORK = Path(__file__).parent / "work"


def main() -> None:
    """Take the named measures (default: all) and print what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measures", nargs="*", choices=[*MEASURES, []], help="which measures to take")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="smaller inputs, to see that the measures run")
    options = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    results = []
    for name in options.measures or MEASURES:
        for result in importlib.import_module(f"benchmarks.{name}").measure(WORK, quick=options.quick):
            results.append(result)
            if not options.json:
                print(f"{name:13} {result.what:52} {result.value}", flush=True)
    if options.json:
        json.dump([result._asdict() for result in results], sys.stdout, indent=2)
    else:
        print(f"{'machine':13} {platform.machine()}, Python {platform.python_version()}")


if __name__ == "__main__":
    main()
