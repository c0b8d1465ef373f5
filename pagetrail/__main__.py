"""``python -m pagetrail``: the command, where its script is not on the path."""

from __future__ import annotations

from pagetrail.app.cli.main import main

if __name__ == "__main__":
    main()
