"""JSON objects out of a file of an agent's results: one object, a list of them, or JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from pagetrail.storage.importers.files.json_rows import each_line, loads
from pagetrail.storage.importers.files.row_files import check_text
from pagetrail.storage.importers.files.rows import RawRow, RowError, refuse

MAX_WHOLE_BYTES = 512 * 2**20
"""Of a file that has to be read as a whole; JSON Lines may be of any size."""

_BOM = b"\xef\xbb\xbf"


def each_object(path: Path, decode: Callable[[str], Any] = loads) -> Iterator[RawRow | RowError]:
    """The objects of the file in order; what is none is an error among them.

    Args:
        decode: reads JSON, raising ValueError.

    Raises:
        InputFileError: the file is empty, or broken as a whole.
        OSError: it cannot be read.
    """
    if path.stat().st_size == 0:
        refuse(path, "is empty.")
    check_text(path, "JSON")
    with path.open("rb") as file:
        head = file.read(1024).removeprefix(_BOM).lstrip()
    if head.startswith(b"["):
        yield from _elements(_whole(path, decode))
        return
    lines = each_line(path, decode)
    first = next(lines, None)
    if isinstance(first, RowError) and head.startswith(b"{"):
        # An object may be spread over the lines of a file; broken lines are no such object.
        data = _one_object(path, decode)
        if data is not None:
            yield RawRow(1, data)
            return
    if first is None:
        refuse(path, "holds no rows.")
    yield from chain((first,), lines)


def objects_in(text: str) -> Iterator[RawRow | RowError]:
    """The same for text that is in memory: one object, a list, or lines.

    Raises:
        ValueError: it is nothing of these.
    """
    stripped = text.removeprefix("\ufeff").strip()
    try:
        data = loads(stripped)
    except ValueError:
        if "\n" not in stripped:
            raise
        yield from _lines_in(stripped)
        return
    yield from _elements(data if isinstance(data, list) else [data])


def _lines_in(text: str) -> Iterator[RawRow | RowError]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            data = loads(line)
        except ValueError as error:
            yield RowError(number, f"is not JSON: {error}")
        else:
            yield RawRow(number, data) if isinstance(data, dict) else _no_object(number)


def _elements(items: list[Any]) -> Iterator[RawRow | RowError]:
    for number, item in enumerate(items, start=1):
        yield RawRow(number, item) if isinstance(item, dict) else _no_object(number)


def _no_object(number: int) -> RowError:
    return RowError(number, "is not a JSON object")


def _whole(path: Path, decode: Callable[[str], Any]) -> list[Any]:
    if path.stat().st_size > MAX_WHOLE_BYTES:
        refuse(
            path,
            f"is a JSON list of more than {MAX_WHOLE_BYTES // 2**20} MiB. Write it as JSON Lines.",
        )
    try:
        items = decode(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse(path, f"is not UTF-8 at byte {error.start + 1:,}. Save it as UTF-8.")
    except ValueError as error:
        refuse(path, f"is not JSON: {error}.")
    if not items:
        refuse(path, "holds no rows.")
    return list(items)


def _one_object(path: Path, decode: Callable[[str], Any]) -> dict[str, Any] | None:
    if path.stat().st_size > MAX_WHOLE_BYTES:
        return None
    try:
        data = decode(path.read_text(encoding="utf-8-sig"))
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
