"""JSON, read strictly or leniently, and the rows of JSON and JSON Lines files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.storage.importers.files.rows import (
    MAX_ROW_BYTES,
    RawRow,
    Row,
    RowError,
    check_text,
    refuse,
)

MAX_WHOLE_BYTES = 512 * 2**20
"""Of a file that has to be read as a whole; JSON Lines may be of any size."""

TOO_DEEP = "its lists or objects are nested too deeply"
_MAX_DIGITS = 300
_BOM = b"\xef\xbb\xbf"

Decode = Callable[[str], Any]
"""Reads one JSON value; raises ValueError with what is wrong, and where."""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits[:40]} is too large")
    return value


def _bounded(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"the number {digits[:40]}… is too large")
    return int(digits)


def _bounded_or_infinite(digits: str) -> int | float:
    if len(digits) <= _MAX_DIGITS:
        return int(digits)
    return -math.inf if digits.startswith("-") else math.inf


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, parse_int=_bounded)
LENIENT = json.JSONDecoder(parse_int=_bounded_or_infinite, strict=False)
"""Takes control characters in strings, NaN and numbers beyond a float, which come as floats."""


def loads(text: str) -> Any:
    """Strict JSON: no NaN, no infinity, no number or nesting that Python cannot hold.

    Raises:
        ValueError: what is wrong, and where.
    """
    return _decoded(text, _STRICT)


def loads_lenient(text: str) -> Any:
    """JSON as models write it; whoever uses a number that is not finite refuses it at its place.

    Raises:
        ValueError: what is wrong, and where.
    """
    return _decoded(text, LENIENT)


def json_bytes(value: Any) -> bytes:
    """A value that was read here as JSON again: the same value, without the file's white space."""
    return json.dumps(value, separators=(",", ":")).encode()


def _decoded(text: str, decoder: json.JSONDecoder) -> Any:
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno:,}, column" if error.lineno > 1 else "column"
        raise ValueError(f"{error.msg} ({where} {error.colno:,})") from error
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error


def read_text(path: Path) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        InputFileError: it is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(path, f"is not UTF-8 at byte {error.start + 1:,}. Save it as UTF-8.")


def read_whole(path: Path, decode: Decode = loads) -> Any:
    """The one JSON value of a file.

    Raises:
        InputFileError: it is not UTF-8 or not JSON.
    """
    try:
        return decode(read_text(path))
    except ValueError as error:
        refuse(path, f"is not JSON: {error}.")


def each_item(items: Iterable[Any]) -> Iterator[Row]:
    """The objects of a JSON list as rows; what is none is an error among them."""
    for number, item in enumerate(items, start=1):
        yield row_of(number, item)


def row_of(number: int, item: Any) -> Row:
    """The row in a JSON value."""
    if isinstance(item, dict):
        return RawRow(number, item)
    return RowError(number, "is not a JSON object")


def each_line(path: Path, decode: Decode = loads) -> Iterator[Row]:
    """The rows of JSON Lines one at a time; a byte order mark and blank lines are passed over."""
    return each_of(_numbered_lines(path), decode)


def each_of(lines: Iterable[tuple[int, bytes | None]], decode: Decode = loads) -> Iterator[Row]:
    """The rows in numbered lines; None in place of a line that is too long."""
    for number, line in lines:
        if line is None:
            yield RowError(number, f"is longer than {MAX_ROW_BYTES // 2**20} MiB")
            continue
        if number == 1:
            line = line.removeprefix(_BOM)
        if not line.strip():
            continue
        try:
            yield row_of(number, decode(line.rstrip(b"\r\n").decode("utf-8")))
        except UnicodeDecodeError as error:
            yield RowError(number, f"is not UTF-8 at byte {error.start + 1:,}")
        except ValueError as error:
            yield RowError(number, f"is not JSON: {error}")


def _numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Lines, 1-based; one that is too long is never held in memory."""
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


def first_bytes(path: Path) -> bytes:
    """The beginning of a text, without a byte order mark and space."""
    with path.open("rb") as file:
        return file.read(1024).removeprefix(_BOM).lstrip()


def each_object(path: Path, decode: Decode = loads) -> Iterator[Row]:
    """The objects of a file that holds one object, a list of them, or JSON Lines.

    Raises:
        InputFileError: the file is empty, or broken as a whole.
        OSError: it cannot be read.
    """
    size = path.stat().st_size
    if size == 0:
        refuse(path, "is empty.")
    check_text(path, "JSON")
    head = first_bytes(path)
    if head.startswith(b"["):
        if size > MAX_WHOLE_BYTES:
            limit = MAX_WHOLE_BYTES // 2**20
            refuse(path, f"is a JSON list of more than {limit} MiB. Write it as JSON Lines.")
        yield from each_item(read_whole(path, decode) or refuse(path, "holds no rows."))
        return
    lines = each_line(path, decode)
    first = next(lines, None) or refuse(path, "holds no rows.")
    if isinstance(first, RowError) and head.startswith(b"{") and size <= MAX_WHOLE_BYTES:
        # An object may be spread over the lines of a file; broken lines are no such object.
        try:
            data = decode(path.read_text(encoding="utf-8-sig"))
        except ValueError:
            data = None
        if isinstance(data, dict):
            yield RawRow(1, data)
            return
    yield from chain((first,), lines)


def objects_in(data: bytes) -> Iterator[Row]:
    """The same of a file that is in memory.

    Raises:
        ValueError: it is not UTF-8, or neither JSON nor lines.
    """
    text = data.decode("utf-8").removeprefix("\ufeff").strip()
    try:
        value = loads(text)
    except ValueError:
        if "\n" not in text:
            raise
        return each_of(enumerate(text.encode().split(b"\n"), start=1))
    return each_item(value if isinstance(value, list) else [value])
