"""Refuses new names that are reserved or look like an existing name.

Two names are confusable if their skeletons are equal (Unicode Technical Standard #39, section 4):
each letter is replaced by the one it can be mistaken for, by Unicode's table in the package
``confusable_homoglyphs``. Stricter than the standard, compatibility forms of a letter (such as wide
ones) count as the letter, and case is ignored. Existing accounts keep their names.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from functools import cache, lru_cache
from importlib.resources import files

from sqlalchemy import Connection, select

from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.tables import User
from pagetrail.storage.people.credentials import check_name
from pagetrail.storage.people.system_roles import GOLD_USER, REVIEW

RESERVED = ("command line", "gold", "original", "review", "system", "pagetrail")
_RESERVED_STARTS = ("@", "review:", "system:")
_IGNORED = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""Printable characters without width (Default_Ignorable_Code_Point)."""

_FORMULA_START = re.compile("^[=+@\\-\uff1d\uff0b\uff20\uff0d\\s]+")
_MARKS = "\u200e\u200f"


class TakenNames:
    """The names that are taken, by skeleton."""

    def __init__(self) -> None:
        self._exact: dict[str, str] = {}
        self._by_look: dict[str, str] = {}

    def add(self, name: str, displayed: str | None = None) -> None:
        """Add a name; messages show it as ``displayed``."""
        self._exact.setdefault(_folded(name), displayed or name)
        for look in _looks(name):
            self._by_look.setdefault(look, displayed or name)

    def require_free(self, name: str) -> None:
        """Refuse a name that is taken, or looks like one that is.

        Raises:
            ConflictError: it is taken, ignoring case, or looks like a name that is.
        """
        same_name = self._exact.get(_folded(name))
        if same_name is not None:
            raise ConflictError(
                gettext(
                    "There is a user {same_name} already. Choose another name.", same_name=same_name
                )
            )
        for look in _looks(name):
            if look in self._by_look:
                raise ConflictError(
                    gettext(
                        "The name {name!r} looks like {by_look!r}, which is taken. Choose a "
                        "name that nobody can mistake for it.",
                        name=name,
                        by_look=self._by_look[look],
                    )
                )


def taken_names(connection: Connection, *, excluded_id: int | None = None) -> TakenNames:
    """Names and pseudonyms of all users.

    Args:
        excluded_id: id of a user to be renamed, whose name is free.
    """
    names = TakenNames()
    rows = connection.execute(
        select(User.id, User.name, User.pseudonym, User.role).order_by(User.id)
    )
    for row in rows:
        if row.id != excluded_id and row.role != REVIEW and row.name != GOLD_USER:
            names.add(row.name)
            names.add(row.pseudonym)
    return names


def check_new_name(name: str) -> str:
    """``check_name`` for a new name, which must not be reserved or a formula either.

    Raises:
        PagetrailError: it is not allowed (codes ``invalid_name``, ``reserved_name``).
    """
    name = check_name(name)
    plain_name = without_formula_start(name)
    if plain_name != name:
        raise PagetrailError(
            gettext(
                "The name {name!r} begins as formulas do, and a spreadsheet would compute it. "
                "Choose a name that begins with a letter, such as {plain_name!r}.",
                name=name,
                plain_name=plain_name or "Ada",
            ),
            code="invalid_name",
        )
    require_not_reserved(name)
    return name


def without_formula_start(name: str) -> str:
    """The name without leading signs that begin a formula in a spreadsheet, narrow or wide."""
    return _FORMULA_START.sub("", name)


def require_not_reserved(name: str) -> None:
    """Refuse a name that Pagetrail uses itself, or that looks like one.

    Raises:
        PagetrailError: with the code ``reserved_name``.
    """
    looks = _looks(name)
    if looks & _reserved_looks() or any(
        look.startswith(tuple(_looks(start))) for look in looks for start in _RESERVED_STARTS
    ):
        raise PagetrailError(
            gettext(
                "The name {name!r} is reserved: Pagetrail uses it for itself, or names "
                "that begin like it. Choose another name.",
                name=name,
            ),
            code="reserved_name",
        )


def skeleton(text: str) -> str:
    """The text's skeleton, equal for texts that can be mistaken for each other."""
    prototypes = _prototypes()
    plain = _IGNORED.sub("", unicodedata.normalize("NFKD", text))
    replaced = "".join(prototypes.get(char, char) for char in plain)
    return unicodedata.normalize("NFD", replaced)


@lru_cache(4_096)
def _looks(name: str) -> frozenset[str]:
    """Skeletons of a name as written and in lower case, since “I” looks like “l”, “i” does not."""
    return frozenset({skeleton(name).casefold(), skeleton(_folded(name)).casefold()})


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(look for name in RESERVED for look in _looks(name))


@cache
def _prototypes() -> dict[str, str]:
    """Character → its replacement, the same for a whole class of confusables.

    The package links prototypes with the characters that look like them; all linked characters are
    one class. The characters of a longer prototype (“rn” for “m”) are replaced in turn.
    """
    stored = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    links: dict[str, set[str]] = defaultdict(set)
    for text, confusables in json.loads(stored).items():
        for other in confusables:  # right-to-left names are stored with direction marks
            one, two = (each.strip(_MARKS) for each in (text, other["c"]))
            links[one].add(two)
            links[two].add(one)
    prototypes: dict[str, str] = {}
    strings: dict[str, str] = {}
    grouped: set[str] = set()
    for start in sorted(links):
        if start in grouped:
            continue
        group, waiting = set(), [start]
        while waiting:
            text = waiting.pop()
            if text not in group:
                group.add(text)
                waiting += links[text]
        grouped |= group
        sequences = sorted(text for text in group if len(text) > 1)
        single = sorted(text for text in group if len(text) == 1)
        for char in single:
            if sequences:
                strings[char] = sequences[0]
            else:
                prototypes[char] = single[0]
    expanded = {
        char: "".join(prototypes.get(part, part) for part in text) for char, text in strings.items()
    }
    return prototypes | expanded
