"""Reads the patches that a model proposes for a text; those that do not apply come with reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from pagetrail.annotation.events.base import MAX_REASON, ClientId
from pagetrail.annotation.events.transcripts import MAX_PATCHES, MAX_TRANSCRIPT, ProposedPatch
from pagetrail.annotation.sentences import shortened

_ID: TypeAdapter[str] = TypeAdapter(ClientId)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MAX_QUOTED = 40


class PatchProblem(NamedTuple):
    """A patch that cannot be used.

    Attributes:
        row: its index in the list, from 0.
        id: as the model names it, if it does.
    """

    row: int
    id: str | None
    reason: str


class ParsedPatches(NamedTuple):
    """The usable patches in the order of the list, and the others."""

    patches: tuple[ProposedPatch, ...]
    problems: tuple[PatchProblem, ...]


def clean_transcript(text: str) -> str:
    """A text with ``\\n`` as line end and without control characters, as it is stored."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def parse_patches(text: str, rows: Sequence[Any]) -> ParsedPatches:
    """The patches in a list of ``{id?, old, new, at?, reason?}``.

    Args:
        text: what the patches are for, as the model saw it; positions are those of the clean text.
    """
    stored_text = clean_transcript(text)
    used_ids = {
        id_ for row in rows if isinstance(row, dict) and (id_ := _given_id(row)) is not None
    }
    free_ids = (str(number) for number in range(1, len(rows) + len(used_ids) + 2))
    next_id = (id_ for id_ in free_ids if id_ not in used_ids)
    patches: list[ProposedPatch] = []
    problems = []
    ids: set[str] = set()
    first_rows: dict[tuple[int, str, str], int] = {}
    for index, row in enumerate(rows):
        given_id = _given_id(row) if isinstance(row, dict) else None
        try:
            patch_id = next(next_id) if given_id is None else _checked_id(given_id, ids)
            patch = _parse_patch(text, stored_text, row, patch_id)
            change = (patch.at, patch.removed, patch.inserted)
            if change in first_rows:
                raise ValueError(f"proposes the same change as patches[{first_rows[change]}]")
            patches.append(patch)
            if len(patches) > MAX_PATCHES:
                patches.pop()
                raise ValueError(f"a page takes at most {MAX_PATCHES:,} patches in a round")
            ids.add(patch_id)
            first_rows[change] = index
        except ValueError as error:
            problems.append(PatchProblem(index, given_id, str(error)))
    return ParsedPatches(tuple(patches), tuple(problems))


def _given_id(row: dict[str, Any]) -> str | None:
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value)[:200]


def _checked_id(value: str, used: set[str]) -> str:
    try:
        _ID.validate_python(value)
    except ValidationError as error:
        raise ValueError(
            "its id must be of letters, digits and _ . : / -, at most 100 of them"
        ) from error
    if value in used:
        raise ValueError("another patch of the page has this id")
    return value


def _parse_patch(text: str, stored_text: str, row: Any, patch_id: str) -> ProposedPatch:
    if not isinstance(row, dict):
        raise ValueError("must be an object with old and new")
    old, new, reason = (_text(row, name) for name in ("old", "new", "reason"))
    if "new" not in row:
        raise ValueError("has no new text; new is empty where text is to be removed")
    if old == new:
        raise ValueError("changes nothing: old and new are the same")
    if len(reason) > MAX_REASON:
        raise ValueError(f"its reason has {len(reason):,} characters; {MAX_REASON:,} are allowed")
    if max(len(old), len(new)) > MAX_TRANSCRIPT:
        raise ValueError(f"is longer than {MAX_TRANSCRIPT:,} characters")
    at = _position(text, stored_text, row.get("at"), old)
    return ProposedPatch(id=patch_id, at=at, removed=old, inserted=new, reason=reason)


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} holds half of a surrogate pair") from error
    if name == "new" and (control := _CONTROL.search(value)):
        raise ValueError(f"new holds the control character U+{ord(control[0]):04X}")
    return clean_transcript(value)


def _position(text: str, stored_text: str, at: Any, old: str) -> int:
    """Where the patch begins in the stored text.

    Raises:
        ValueError: not there, or at several positions.
    """
    if isinstance(at, float) and at.is_integer():
        at = int(at)
    if at is None:
        if not old:
            raise ValueError("removes nothing, so that at must say where its text goes")
        matches = list(_occurrences(stored_text, old))
        if len(matches) == 1:
            return matches[0]
        if not matches:
            raise ValueError(f"the text does not have {_quoted(old)}")
        raise ValueError(
            f"the text has {_quoted(old)} more than once; give at, or more of the text around it"
        )
    if isinstance(at, bool) or not isinstance(at, int):
        raise ValueError("at must be a whole number, in characters from the beginning of the text")
    if not 0 <= at <= len(text):
        raise ValueError(
            f"at is {at:,}, and the text has {len(text):,} characters{_unit_hint(text, at, old)}"
        )
    position = len(clean_transcript(text[:at]))
    if stored_text[position : position + len(old)] != old:
        present_text = stored_text[position : position + max(len(old), 1)]
        raise ValueError(
            f"the text has {_quoted(present_text)} at {at:,}, not {_quoted(old)}"
            f"{_unit_hint(text, at, old)}"
        )
    return position


def _unit_hint(text: str, at: int, old: str) -> str:
    """The position in characters where ``at`` counts bytes or UTF-16 units; else empty."""
    for encoding, width, unit in (("utf-16-le", 2, "UTF-16 code units"), ("utf-8", 1, "bytes")):
        units = text.encode(encoding, "surrogatepass")
        position = len(units[: width * max(at, 0)].decode(encoding, "ignore"))
        if position != at and old and text.startswith(old, position):
            return f"; at seems to count {unit}: counted in characters it is {position:,}"
    return ""


def _occurrences(text: str, part: str) -> Iterator[int]:
    """The first two positions of a part."""
    first = text.find(part)
    if first >= 0:
        yield first
        second = text.find(part, first + 1)
        if second >= 0:
            yield second


def _quoted(text: str) -> str:
    return f"“{shortened(' '.join(text.split()), _MAX_QUOTED)}”"
