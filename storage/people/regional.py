"""Time zone, and notation of dates and numbers, as each person wants them.

Screens and e-mail follow them; files do not, so that they are the same for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import select

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import USERS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import require_user

_NARROW, _SPACE = "\u202f", "\u00a0"


@dataclass(frozen=True)
class Notation:
    """How dates and numbers are written.

    Attributes:
        day: for ``strftime``, of %Y, %m and %d.
        group: between thousands.
    """

    label: str = "2026-12-31 · 1,234.5"
    day: str = "%Y-%m-%d"
    group: str = ","
    decimal: str = "."

    def date(self, day: date | datetime | str) -> str:
        """A day; as ISO-8601 where it comes as text."""
        when = date.fromisoformat(day) if isinstance(day, str) else day
        return when.strftime(self.day)

    def number(self, value: float, places: int = 0) -> str:
        """Rounded to so many places, with groups of thousands."""
        signs = {",": self.group, ".": self.decimal}
        return "".join(signs.get(sign, sign) for sign in f"{value:,.{places}f}")


NEUTRAL = Notation()
"""What everybody has who has chosen nothing."""


def _written(language: str, day: str, group: str, decimal: str) -> Notation:
    plain = Notation("", day, group, decimal)
    sample = f"{plain.date('2026-12-31')} · {plain.number(1234.5, 1)}"
    return Notation(f"{language}: {sample}", day, group, decimal)


NOTATIONS: dict[str, Notation] = {
    "cs-CZ": _written("Čeština", "%d.%m.%Y", _SPACE, ","),
    "de-DE": _written("Deutsch", "%d.%m.%Y", ".", ","),
    "de-CH": _written("Deutsch (Schweiz)", "%d.%m.%Y", "’", "."),
    "en-GB": _written("English (UK)", "%d/%m/%Y", ",", "."),
    "en-US": _written("English (US)", "%m/%d/%Y", ",", "."),
    "es-ES": _written("Español", "%d/%m/%Y", ".", ","),
    "fr-FR": _written("Français", "%d/%m/%Y", _NARROW, ","),
    "it-IT": _written("Italiano", "%d/%m/%Y", ".", ","),
    "nl-NL": _written("Nederlands", "%d-%m-%Y", ".", ","),
    "pl-PL": _written("Polski", "%d.%m.%Y", _SPACE, ","),
    "pt-BR": _written("Português", "%d/%m/%Y", ".", ","),
    "fi-FI": _written("Suomi", "%d.%m.%Y", _SPACE, ","),
    "sv-SE": _written("Svenska", "%Y-%m-%d", _SPACE, ","),
    "tr-TR": _written("Türkçe", "%d.%m.%Y", ".", ","),
    "uk-UA": _written("Українська", "%d.%m.%Y", _SPACE, ","),
    "ja-JP": _written("日本語", "%Y/%m/%d", ",", "."),
    "zh-CN": _written("中文", "%Y/%m/%d", ",", "."),
}
"""By language tag (BCP 47)."""


@dataclass(frozen=True)
class Regional:
    """What somebody has chosen.

    Attributes:
        time_zone: a name such as ``Europe/Berlin``; None follows the browser.
        locale: a key of ``NOTATIONS``; None is ``NEUTRAL``.
    """

    time_zone: str | None = None
    locale: str | None = None

    @property
    def notation(self) -> Notation:
        """How dates and numbers are written."""
        return NOTATIONS.get(self.locale or "", NEUTRAL)

    @property
    def zone(self) -> ZoneInfo | None:
        """The chosen time zone, if this machine knows it."""
        try:
            return ZoneInfo(self.time_zone) if self.time_zone else None
        except (KeyError, ValueError, OSError):
            return None


@cache
def time_zones() -> tuple[str, ...]:
    """Names of zones to choose from: places, and UTC."""
    return (*sorted(name for name in available_timezones() if "/" in name), "UTC")


def regional_of(workspace: Workspace, name: str) -> Regional:
    """What a person has chosen; nothing for somebody unknown."""
    query = select(USERS.c.time_zone, USERS.c.locale).where(USERS.c.name == name)
    with workspace.engine.connect() as connection:
        row = connection.execute(query).one_or_none()
    return Regional() if row is None else Regional(row.time_zone, row.locale)


def set_regional(workspace: Workspace, name: str, chosen: Regional) -> None:
    """Store what a person has chosen, in the place of what there was.

    Raises:
        PagetrailError: no such zone or locale (code ``invalid_regional``).
        NotFoundError: nobody is called that.
    """
    if chosen.time_zone is not None and chosen.zone is None:
        raise PagetrailError(
            f"{chosen.time_zone[:60]!r} is no time zone. An example: Europe/Berlin.",
            code="invalid_regional",
        )
    if chosen.locale is not None and chosen.locale not in NOTATIONS:
        raise PagetrailError(
            f"{chosen.locale[:60]!r} is no locale. Locales: {', '.join(NOTATIONS)}.",
            code="invalid_regional",
        )
    with write_transaction(workspace.engine) as connection:
        row = require_user(connection, name)
        connection.execute(
            USERS.update()
            .where(USERS.c.id == row.id)
            .values(time_zone=chosen.time_zone, locale=chosen.locale)
        )
