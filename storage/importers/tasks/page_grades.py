"""Judged pages in the rows of a task file (``page_grades``), as candidates, evidence and gold.

What they become depends on the protocol. Where it grades pages, the judged pages are the candidates
and their grades are gold, with kinds of content and boxes where it asks for these. Elsewhere pages
graded 1 or more are the evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from pagetrail.annotation.protocols.fields import FieldSpec, Kind
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import describe, reason_of
from pagetrail.annotation.tasks.task import MAX_REFS, TaskRecord, read_task
from pagetrail.storage.corpus.aliases import aliases
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.rows import ParsedTask
from pagetrail.storage.importers.preannotations.boxes import to_points
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import RawBox, RawElement

FIELD = "page_grades"

Refused = tuple[int, str, str]
"""Line, task and reason of a row that cannot be used."""


class _Box(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rect: list[Any]
    label: StrictStr
    annotator: Any = None


class _PageGrade(BaseModel):
    """A judged page: by document and page, or by an id that names both."""

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
    workspace: Workspace, rows: list[ParsedTask], protocol: Protocol
) -> tuple[list[ParsedTask], list[Refused], list[str]]:
    """The tasks with their judged pages, the rows that cannot be used, and notes."""
    if not any(_grades_of(task) for _, task in rows):
        return rows, [], []
    reader = _GradeReader(workspace, protocol)
    found: list[ParsedTask] = []
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
        found.append((raw, task))
    return found, refused, reader.notes()


def _grades_of(task: TaskRecord) -> Any:
    return (task.model_extra or {}).get(FIELD)


class _GradeReader:
    def __init__(self, workspace: Workspace, protocol: Protocol) -> None:
        corpus, known = Corpus(workspace), aliases(workspace)
        self._finder = PageFinder(corpus, known)
        self._names = frozenset(corpus.names()) | known.keys()
        self._protocol = protocol
        self._grades = _page_field(protocol, "relevance", "ordinal")
        self._kinds = _page_field(protocol, "modalities", "multi")
        self._left_out: Counter[str] = Counter()

    def read(self, task: TaskRecord) -> TaskRecord:
        """The task with candidates, evidence and gold in place of its grades.

        Raises:
            ValueError: a page cannot be found, a grade is none of the protocol's, or the task has
                gold of its own as well.
        """
        record = task.to_json()
        grades = _PageGrades.model_validate({FIELD: record.pop(FIELD)}).page_grades
        pages = [self._place(place, grade) for place, grade in enumerate(grades)]
        keys = [(info.name, page) for info, page in pages]
        if len(set(keys)) < len(keys):
            name, page = next(key for key in keys if keys.count(key) > 1)
            raise ValueError(f"{FIELD}: page {page} of {name} is there twice")
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
                raise ValueError(f"gold, {FIELD}: one of the two is enough")
            record["gold"] = self._gold(self._grades, refs, grades, pages)
        return read_task(record)

    def notes(self) -> list[str]:
        """What of the judgements is not kept."""
        return [f"{what}, left out: {count:,}." for what, count in self._left_out.items()]

    def _place(self, place: int, grade: _PageGrade) -> tuple[Any, int]:
        known = grade.document in self._names
        raw = RawElement(
            0,
            document=grade.document if known else None,
            page=grade.page,
            # A name without its ending, as ViDoRe has them, is looked up as an image's is.
            image=grade.id if grade.document is None else grade.document,
        )
        try:
            return self._finder.find(raw)
        except ValueError as error:
            raise ValueError(f"{FIELD}[{place}]: {reason_of(error)}") from error

    def _gold(
        self,
        spec: FieldSpec,
        refs: Sequence[dict[str, Any]],
        grades: Sequence[_PageGrade],
        pages: Sequence[tuple[Any, int]],
    ) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        for place, (ref, item) in enumerate(zip(refs, grades, strict=True)):
            values: dict[str, Any] = {spec.name: _option(spec, item.grade, place)}
            kinds = self._content_kinds(item)
            if kinds and self._kinds is not None:
                values[self._kinds.name] = kinds
            found.append({**ref, "fields": values})
        boxes = self._boxes(refs, grades, pages)
        return {"pages": found} | ({} if boxes is None else {"boxes": boxes})

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
        """The boxes of all pages; None where they are no gold."""
        count = sum(len(item.boxes) for item in grades)
        if not count:
            return None
        if not self._protocol.boxes.enabled:
            self._left_out["Boxes (this protocol has none)"] += count
            return None
        if any(len({str(box.annotator) for box in item.boxes}) > 1 for item in grades):
            # Gold has one box for one thing; these may be several people's boxes around it.
            self._left_out["Boxes of tasks with boxes of several annotators on a page"] += count
            return None
        found = []
        for place, (ref, item, (info, page)) in enumerate(zip(refs, grades, pages, strict=True)):
            for number, box in enumerate(item.boxes):
                raw = RawBox(box.rect, False, "image", image=item.image_size)
                try:
                    rect, _ = to_points(raw, info.pages[page - 1])
                except ValueError as error:
                    raise ValueError(f"{FIELD}[{place}].boxes[{number}]: {error}") from error
                found.append({**ref, "rect": list(rect), "label": box.label})
        return found


def _page_field(protocol: Protocol, name: str, kind: Kind) -> FieldSpec | None:
    """The field of pages of that name, or else the first of that kind."""
    specs = [spec for spec in protocol.scoped("page") if spec.kind == kind]
    return next((spec for spec in specs if spec.name == name), specs[0] if specs else None)


def _option(spec: FieldSpec, grade: int, place: int) -> str:
    for option in spec.options:
        if option.code is not None and int(option.code) == grade:
            return option.value
    codes = ", ".join(str(int(option.code)) for option in spec.options if option.code is not None)
    raise ValueError(
        f"{FIELD}[{place}]: the grade {grade} is none of “{spec.label}”, which has {codes}. Use a "
        "protocol with that grade"
    )
