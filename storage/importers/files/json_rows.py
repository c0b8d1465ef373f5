"""JSON, read strictly, and the rows of JSON and JSONL files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.storage.importers.files.rows import MAX_ROW_BYTES, RawRow, RowError, TaskFile, refuse


def read_array(path: Path) -> TaskFile:
    """The elements of one JSON array."""
    try:
        items = loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse(path, f"is not UTF-8 at byte {error.start + 1:,}. Save it as UTF-8.")
    except ValueError as error:
        refuse(path, f"is not JSON: {error}.")
    found = TaskFile()
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            found.rows.append(RawRow(number, item))
        else:
            found.errors.append(RowError(number, "is not a JSON object"))
    return found


def read_lines(path: Path, decode: Callable[[str], Any] | None = None) -> TaskFile:
    """JSON Lines; a byte order mark and blank lines are passed over.

    Args:
        decode: reads one line, raising ValueError; None means strictly, with ``loads``.
    """
    found = TaskFile()
    for row in each_line(path, decode or loads):
        if isinstance(row, RawRow):
            found.rows.append(row)
        else:
            found.errors.append(row)
    return found


def each_line(path: Path, decode: Callable[[str], Any]) -> Iterator[RawRow | RowError]:
    """The lines of ``read_lines`` one at a time, for files that are larger than memory."""
    for number, line in _lines(path):
        if line is None:
            yield RowError(number, f"is longer than {MAX_ROW_BYTES // 2**20} MiB")
            continue
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        try:
            data = decode(line.rstrip(b"\r\n").decode("utf-8"))
        except UnicodeDecodeError as error:
            yield RowError(number, f"is not UTF-8 at byte {error.start + 1:,}")
        except ValueError as error:
            yield RowError(number, f"is not JSON: {error}")
        else:
            if isinstance(data, dict):
                yield RawRow(number, data)
            else:
                yield RowError(number, "is not a JSON object")


def _lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines; None in place of one that is too long, which is never held in memory."""
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


def loads(text: str) -> Any:
    """Strict JSON: no NaN, no infinity, no number or nesting that Python cannot hold.

    Raises:
        ValueError: what is wrong, and where.
    """

    def constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is not a JSON value")

    def real(digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            raise ValueError(f"the number {digits[:40]} is too large")
        return value

    def whole(digits: str) -> int:
        if len(digits) > 300:
            raise ValueError(f"the number {digits[:40]}… is too large")
        return int(digits)

    try:
        return json.loads(text, parse_constant=constant, parse_float=real, parse_int=whole)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column" if error.lineno > 1 else "column"
        raise ValueError(f"{error.msg} ({where} {error.colno:,})") from error
    except RecursionError as error:
        raise ValueError("its lists or objects are nested too deeply") from error
