"""Turns judged pages in task rows (``page_grades``) into candidates, evidence and gold.

If the protocol grades pages, the judged pages become candidates and their grades become gold, with
kinds of content and boxes if the protocol asks for them. Otherwise pages with a grade of 1 or more
become evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.tasks.task import MAX_REFS, TaskRecord, read_task
from pagetrail.storage.importers.files.rows import ParsedTask
from pagetrail.storage.importers.preannotations.boxes import to_points
from pagetrail.storage.importers.preannotations.pages import PageFinder, first_repeated
from pagetrail.storage.importers.preannotations.raw_elements import RawBox

FIELD = "page_grades"

Refused = tuple[int, str, str]
"""Line, task id and reason of a row that cannot be used."""


class _Box(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rect: list[Any]
    label: StrictStr | None = None
    annotator: Any = None


class _PageGrade(BaseModel):
    """A judged page, given by document and page or by an id."""

    model_config = ConfigDict(extra="forbid")
    document: StrictStr | None = None
    page: Any = None
    id: StrictStr | None = Field(default=None, max_length=1_000)
    grade: StrictInt
    content_type: list[StrictStr] = []
    boxes: list[_Box] = []
    image_size: tuple[Any, Any] | None = None


class _PageGrades(BaseModel):
    page_grades: list[_PageGrade] = Field(max_length=MAX_REFS)


def with_page_grades(
    finder: PageFinder, rows: list[ParsedTask], protocol: Protocol
) -> tuple[list[ParsedTask], list[Refused], list[str]]:
    """The tasks with their judged pages applied, the rows that cannot be used, and notes."""
    if not any(_grades_of(task) for _, task in rows):
        return rows, [], []
    reader = _GradeReader(finder, protocol)
    with_grades: list[ParsedTask] = []
    refused: list[Refused] = []
    for raw, task in rows:
        if _grades_of(task):
            try:
                task = reader.read(task)
            except ValidationError as error:
                refused.append((raw.line, task.id, describe(error)))
                continue
            except ValueError as error:
                refused.append((raw.line, task.id, str(error)))
                continue
        with_grades.append((raw, task))
    return with_grades, refused, reader.notes()


def _grades_of(task: TaskRecord) -> Any:
    return (task.model_extra or {}).get(FIELD)


class _GradeReader:
    def __init__(self, finder: PageFinder, protocol: Protocol) -> None:
        self._finder = finder
        self._protocol = protocol
        self._grades = protocol.page_field("relevance", "ordinal")
        self._kinds = protocol.page_field("modalities", "multi")
        self._left_out: Counter[str] = Counter()

    def read(self, task: TaskRecord) -> TaskRecord:
        """The task with candidates, evidence and gold in place of its grades.

        Raises:
            ValueError: a page does not exist, the protocol does not have a grade, or the task also
                has its own gold.
        """
        record = task.to_json()
        grades = _PageGrades.model_validate({FIELD: record.pop(FIELD)}).page_grades
        pages = [
            self._finder.find_judged(f"{FIELD}[{index}]", grade.document, grade.page, grade.id)
            for index, grade in enumerate(grades)
        ]
        keys = [(info.name, page) for info, page in pages]
        repeated = first_repeated(keys)
        if repeated is not None:
            name, page = repeated
            raise ValueError(f"{FIELD}: page {page} of {name} occurs twice")
        refs = [{"document": name, "page": page} for name, page in keys]
        if not record.get("candidates"):
            record["candidates"] = refs
        if self._grades is None or self._protocol.evidence.enabled:
            relevant = [ref for ref, item in zip(refs, grades, strict=True) if item.grade >= 1]
            record["evidence"] = record.get("evidence") or relevant
        if self._grades is None:
            self._left_out["Grades (this protocol grades no pages)"] += len(grades)
        else:
            if record.get("gold"):
                raise ValueError(f"gold, {FIELD}: give only one of them")
            record["gold"] = self._gold_record(self._grades, refs, grades, pages)
        return read_task(record)

    def notes(self) -> list[str]:
        """Counts of what was left out of the judgements."""
        return [
            f"{description}, left out: {count:,}." for description, count in self._left_out.items()
        ]

    def _gold_record(
        self,
        spec: FieldSpec,
        refs: Sequence[dict[str, Any]],
        grades: Sequence[_PageGrade],
        pages: Sequence[tuple[Any, int]],
    ) -> dict[str, Any]:
        gold_pages: list[dict[str, Any]] = []
        for index, (ref, item) in enumerate(zip(refs, grades, strict=True)):
            values: dict[str, Any] = {spec.name: _option_for_grade(spec, item.grade, index)}
            kinds = self._content_kinds(item)
            if kinds and self._kinds is not None:
                values[self._kinds.name] = kinds
            gold_pages.append({**ref, "fields": values})
        boxes = self._boxes(refs, grades, pages)
        return {"pages": gold_pages} | ({} if boxes is None else {"boxes": boxes})

    def _content_kinds(self, item: _PageGrade) -> list[str]:
        options = self._kinds.options if self._kinds is not None else []
        by_name = {option.label: option.value for option in options}
        by_name |= {option.value: option.value for option in options}
        unknown = sum(kind not in by_name for kind in item.content_type)
        if unknown:
            self._left_out["Kinds of content that the protocol does not have"] += unknown
        return [by_name[kind] for kind in item.content_type if kind in by_name]

    def _boxes(
        self,
        refs: Sequence[dict[str, Any]],
        grades: Sequence[_PageGrade],
        pages: Sequence[tuple[Any, int]],
    ) -> list[dict[str, Any]] | None:
        """The boxes of all pages; None if they cannot be gold."""
        count = sum(len(item.boxes) for item in grades)
        if not count:
            return None
        if not self._protocol.boxes.enabled:
            self._left_out["Boxes (this protocol has none)"] += count
            return None
        if any(len({str(box.annotator) for box in item.boxes}) > 1 for item in grades):
            # Gold has one box per object, but several people may have drawn the same object.
            self._left_out["Boxes of tasks with boxes of several annotators on a page"] += count
            return None
        if any(box.label is None for item in grades for box in item.boxes):
            # The boxes of gold are all boxes of a page, and each has a class.
            self._left_out["Boxes of tasks with boxes without a class"] += count
            return None
        gold_boxes = []
        for index, (ref, item, (info, page)) in enumerate(zip(refs, grades, pages, strict=True)):
            for box_index, box in enumerate(item.boxes):
                raw = RawBox(box.rect, False, "image", image=item.image_size)
                try:
                    rect, _ = to_points(raw, info.pages[page - 1])
                except ValueError as error:
                    raise ValueError(f"{FIELD}[{index}].boxes[{box_index}]: {error}") from error
                gold_boxes.append({**ref, "rect": list(rect), "label": box.label})
        return gold_boxes


def _option_for_grade(spec: FieldSpec, grade: int, index: int) -> str:
    for option in spec.options:
        if option.code is not None and int(option.code) == grade:
            return option.value
    codes = ", ".join(str(int(option.code)) for option in spec.options if option.code is not None)
    raise ValueError(
        f"{FIELD}[{index}]: the grade {grade} does not exist in “{spec.label}”, which has {codes}. "
        "Use a protocol with this grade"
    )
