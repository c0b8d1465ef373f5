"""Administration of collection."""

from __future__ import annotations

from app.wiring import Services
from storage.people import Person


def show(_app: Services, _person: Person) -> None:
    """Draw this part of the screen."""
