"""Write the files that the demo ships, or check that they are what would be written."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from scripts.demo_documents.corpus import SHIPPED, changed_files, write_files


def main() -> int:
    """Exit code 1 if ``--check`` finds a file that differs."""
    parser = argparse.ArgumentParser(prog="python -m scripts.demo_documents", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; list what differs")
    if not parser.parse_args().check:
        write_files(SHIPPED)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        changed = changed_files(Path(folder))
    for name in changed:
        print(f"{name} is not what the generator writes.")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
