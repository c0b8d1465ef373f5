"""Strict and lenient JSON decoding, and rows of JSON and JSON Lines files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.storage.importers.files.data_frames import rows_of_frame
from pagetrail.storage.importers.files.rows import (
    MAX_ROW_BYTES,
    RawRow,
    Row,
    RowError,
    refuse,
    require_text,
)

MAX_WHOLE_BYTES = 512 * 2**20
"""Limit for files that have to be read as a whole; JSON Lines may be of any size."""

TOO_DEEP = "its lists or objects are nested too deeply"
_MAX_DIGITS = 300
_BOM = b"\xef\xbb\xbf"

Decode = Callable[[str], Any]
"""Decodes one JSON value; raises ValueError with the problem and its position."""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _finite_float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits[:40]} is too large")
    return value


def _bounded_int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"the number {digits[:40]}… is too large")
    return int(digits)


def _int_or_infinity(digits: str) -> int | float:
    if len(digits) <= _MAX_DIGITS:
        return int(digits)
    return -math.inf if digits.startswith("-") else math.inf


_STRICT = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_float=_finite_float, parse_int=_bounded_int
)
LENIENT = json.JSONDecoder(parse_int=_int_or_infinity, strict=False)
"""Accepts control characters in strings, NaN, and numbers beyond a float (as infinity)."""


def loads(text: str) -> Any:
    """Decode strict JSON: no NaN, no infinity, no number or nesting that Python cannot represent.

    Raises:
        ValueError: with the problem and its position.
    """
    return _decode(text, _STRICT)


def loads_lenient(text: str) -> Any:
    """Decode JSON as models write it; callers check that the numbers they use are finite.

    Raises:
        ValueError: with the problem and its position.
    """
    return _decode(text, LENIENT)


def json_bytes(value: Any) -> bytes:
    """Compact JSON of a decoded value."""
    return json.dumps(value, separators=(",", ":")).encode()


def _decode(text: str, decoder: json.JSONDecoder) -> Any:
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        position = f"line {error.lineno:,}, column" if error.lineno > 1 else "column"
        raise ValueError(f"{error.msg} ({position} {error.colno:,})") from error
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error


def read_text(path: Path) -> str:
    """Text of a UTF-8 file without byte order mark.

    Raises:
        InputFileError: the file is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(path, f"is not UTF-8 at byte {error.start + 1:,}. Save it as UTF-8.")


def read_json(path: Path, decode: Decode = loads) -> Any:
    """The JSON value of a file.

    Raises:
        InputFileError: the file is not UTF-8 or not JSON.
    """
    try:
        return decode(read_text(path))
    except ValueError as error:
        refuse(path, f"is not JSON: {error}.")


def iter_items(items: Iterable[Any]) -> Iterator[Row]:
    """Rows of a JSON list; items that are not objects become row errors."""
    for number, item in enumerate(items, start=1):
        yield to_row(number, item)


def to_row(number: int, item: Any) -> Row:
    """Row for a JSON object, or a row error for any other value."""
    if isinstance(item, dict):
        return RawRow(number, item)
    return RowError(number, "is not a JSON object")


def iter_json_lines(path: Path, decode: Decode = loads) -> Iterator[Row]:
    """Rows of a JSON Lines file, one at a time; skips a byte order mark and blank lines."""
    return iter_numbered_lines(_numbered_lines(path), decode)


def iter_numbered_lines(
    lines: Iterable[tuple[int, bytes | None]], decode: Decode = loads
) -> Iterator[Row]:
    """Rows of numbered lines of JSON; a line that was too long is given as None."""
    for number, line in lines:
        if line is None:
            yield RowError(number, f"is longer than {MAX_ROW_BYTES // 2**20} MiB")
            continue
        if number == 1:
            line = line.removeprefix(_BOM)
        if not line.strip():
            continue
        try:
            yield to_row(number, decode(line.rstrip(b"\r\n").decode("utf-8")))
        except UnicodeDecodeError as error:
            yield RowError(number, f"is not UTF-8 at byte {error.start + 1:,}")
        except ValueError as error:
            yield RowError(number, f"is not JSON: {error}")


def _numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """1-based lines; a line that is too long is yielded as None and never held in memory."""
    number = 0
    with path.open("rb") as file:
        while line := file.readline(MAX_ROW_BYTES):
            number += 1
            if line.endswith(b"\n") or len(line) < MAX_ROW_BYTES:
                yield number, line
                continue
            rest = file.readline(MAX_ROW_BYTES)
            yield number, line if not rest.strip() else None
            while rest and not rest.endswith(b"\n"):
                rest = file.readline(MAX_ROW_BYTES)


def read_head(path: Path) -> bytes:
    """First bytes of a text file without byte order mark and leading space."""
    with path.open("rb") as file:
        return file.read(1024).removeprefix(_BOM).lstrip()


def iter_objects(path: Path, decode: Decode = loads) -> Iterator[Row]:
    """Rows of a file that holds one object, a list of objects, or JSON Lines.

    Raises:
        InputFileError: the file is empty, or cannot be used as a whole.
        OSError: the file cannot be read.
    """
    size = path.stat().st_size
    if size == 0:
        refuse(path, "is empty.")
    require_text(path, "JSON")
    head = read_head(path)
    if head.startswith(b"["):
        if size > MAX_WHOLE_BYTES:
            limit = MAX_WHOLE_BYTES // 2**20
            refuse(path, f"is a JSON list of more than {limit} MiB. Write it as JSON Lines.")
        items = read_json(path, decode) or refuse(path, "holds no rows.")
        if isinstance(items, list) and all(isinstance(item, list) for item in items):
            refuse(
                path,
                "is a list of lists, which has no names of columns. Write a list of objects; "
                'in pandas, orient="records".',
            )
        yield from iter_items(items)
        return
    lines = iter_json_lines(path, decode)
    first = next(lines, None) or refuse(path, "holds no rows.")
    if isinstance(first, RawRow):
        second = next(lines, None)
        if second is None:
            yield from _rows_of_object(path, first.data)
        else:
            yield from chain((first, second), lines)
        return
    if isinstance(first, RowError) and head.startswith(b"{") and size <= MAX_WHOLE_BYTES:
        # The file may be one object spread over several lines.
        try:
            data = decode(path.read_text(encoding="utf-8-sig"))
        except ValueError:
            data = None
        if isinstance(data, dict):
            yield from _rows_of_object(path, data)
            return
    yield from chain((first,), lines)


def _rows_of_object(path: Path, value: dict[str, Any]) -> Iterator[Row]:
    """The rows of a file that holds one object: a table of pandas, or one row."""
    try:
        rows = rows_of_frame(value)
    except ValueError as error:
        refuse(path, str(error))
    return iter_items([value] if rows is None else rows)


def objects_in_bytes(data: bytes) -> Iterator[Row]:
    """Like ``iter_objects``, for the content of a file in memory.

    Raises:
        ValueError: the content is not UTF-8, or neither JSON nor JSON Lines.
    """
    text = data.decode("utf-8").removeprefix("\ufeff").strip()
    try:
        value = loads(text)
    except ValueError:
        if "\n" not in text:
            raise
        return iter_numbered_lines(enumerate(text.encode().split(b"\n"), start=1))
    return iter_items(value if isinstance(value, list) else [value])
