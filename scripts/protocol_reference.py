"""Regenerate the generated part of docs/protocols.md: run it after changing a protocol's models."""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation.protocols.reference import with_reference

PAGE = Path(__file__).parents[1] / "docs" / "protocols.md"


def main() -> None:
    """Rewrite the page where it is not current."""
    page = PAGE.read_text(encoding="utf-8")
    current = with_reference(page)
    if current == page:
        print(f"{PAGE.name} is current.")
    else:
        PAGE.write_text(current, encoding="utf-8")
        print(f"{PAGE.name} was regenerated.")


if __name__ == "__main__":
    main()
