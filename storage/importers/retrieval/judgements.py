"""Reads page judgements: TREC qrels, and the tables of BEIR and ViDoRe, with boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.json_rows import read_text
from pagetrail.storage.importers.files.rows import RawRow, Row, RowError, refuse
from pagetrail.storage.importers.files.table_rows import column_names, read_parquet

QUERY_IDS = ("query_id", "query-id", "qid")
PAGE_IDS = ("corpus_id", "corpus-id", "docid", "doc-id")
_SCORES = ("score", "relevance", "rel", "grade")
_MAX_GRADE = 1_000


@dataclass(frozen=True)
class JudgedBox:
    """A box (left, top, right, bottom) in pixels of the page's image."""

    annotator: Any
    rect: tuple[Any, Any, Any, Any]
    label: Any


@dataclass(frozen=True)
class Judgement:
    """The grade of a page for a query.

    Attributes:
        page_id: the page's id in the file.
        content_types: kinds of relevant content.
    """

    page_id: str
    grade: int
    content_types: tuple[str, ...] = ()
    boxes: tuple[JudgedBox, ...] = ()


@dataclass
class Judgements:
    """Judgements by query in file order, and errors for lines that cannot be read."""

    by_query: dict[str, list[Judgement]] = field(default_factory=dict)
    errors: list[RowError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def page_ids_with_boxes(self) -> set[str]:
        """Ids of the pages that have boxes."""
        return {
            judgement.page_id
            for judgements in self.by_query.values()
            for judgement in judgements
            if judgement.boxes
        }


def read_qrels(paths: Sequence[Path]) -> Judgements:
    """Read the judgements of all files.

    Grades below 0, which TREC uses for pages that were not judged, are left out and counted.

    Raises:
        InputFileError: a file cannot be used as a whole.
    """
    result = Judgements()
    grades: dict[tuple[str, str], int] = {}
    left_out: Counter[str] = Counter()
    for path in paths:
        for row in _rows(path):
            try:
                if isinstance(row, RowError):
                    raise ValueError(row.reason)
                query, judgement = _parse_judgement(row.data)
                earlier = grades.get((query, judgement.page_id))
                if earlier not in (None, judgement.grade):
                    raise ValueError(
                        f"page {judgement.page_id!r} has the grade {earlier} for query {query!r} "
                        "already"
                    )
            except ValueError as error:
                result.errors.append(RowError(row.line, f"{printable(path.name)}: {error}"))
                continue
            if earlier is not None:
                left_out["that occur twice"] += 1
                continue
            grades[query, judgement.page_id] = judgement.grade
            judgements = result.by_query.setdefault(query, [])
            if judgement.grade < 0:
                left_out["with a grade below 0, which means not judged"] += 1
            else:
                judgements.append(judgement)
    if not any(result.by_query.values()) and not result.errors:
        refuse(paths[0], "holds no judgements.")
    result.notes = [
        f"Judgements {description}: {count:,}, left out." for description, count in left_out.items()
    ]
    return result


def _rows(path: Path) -> Iterator[Row]:
    if path.suffix.lower() == ".parquet":
        file = read_parquet(path, _column(path, QUERY_IDS))
        yield from file.rows
        yield from file.errors
        return
    header: list[str] | None = None
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip():
            continue
        if header is None and not set(QUERY_IDS).isdisjoint(cells):
            header = [cell.strip() for cell in cells]
            continue
        names = header or {4: ["qid", "iteration", "docid", "rel"], 3: ["qid", "docid", "rel"]}.get(
            len(cells)
        )
        if names is None or len(cells) != len(names):
            yield RowError(
                number,
                f"has {len(cells)} columns; a judgement has four (query, 0, page, grade), or "
                "three in BEIR's tables",
            )
        else:
            yield RawRow(number, dict(zip(names, cells, strict=True)))


def _column(path: Path, names: Sequence[str]) -> str:
    columns = column_names(path)
    column = next((name for name in names if name in columns), None)
    return column or refuse(
        path,
        f"has no column {names[0]}. Columns: {', '.join(map(printable, columns[:20]))}.",
    )


def _parse_judgement(data: Mapping[str, Any]) -> tuple[str, Judgement]:
    """The query's id and the judgement.

    Raises:
        ValueError: a field is missing, or the grade is not a whole number.
    """
    query, page = _first(data, QUERY_IDS), _first(data, PAGE_IDS)
    grade_value = _first(data, _SCORES)
    try:
        grade = float(grade_value)
    except (TypeError, ValueError):
        grade = 0.5
    if not grade.is_integer() or abs(grade) > _MAX_GRADE:
        raise ValueError(f"the grade must be a whole number, not {short_value(grade_value)}")
    content_types = data.get("content_type")
    return str(query).strip(), Judgement(
        str(page),
        int(grade),
        tuple(kind for kind in content_types if isinstance(kind, str))
        if isinstance(content_types, list)
        else (),
        tuple(_boxes(data)),
    )


def _first(data: Mapping[str, Any], names: Sequence[str]) -> Any:
    value = next((data[name] for name in names if data.get(name) not in (None, "")), None)
    if value is None:
        raise ValueError(f"has no {' or '.join(names)}")
    return value


def _boxes(data: Mapping[str, Any]) -> Iterator[JudgedBox]:
    boxes, labels = data.get("bounding_boxes") or [], data.get("box_content_type") or []
    if not isinstance(boxes, list) or not isinstance(labels, list):
        return
    for index, box in enumerate(boxes):
        if isinstance(box, dict):
            rect = (box.get("x1"), box.get("y1"), box.get("x2"), box.get("y2"))
            label = labels[index] if index < len(labels) else None
            yield JudgedBox(box.get("annotator"), rect, label)
