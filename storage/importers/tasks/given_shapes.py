"""Normalises task rows in the forms that other datasets use, before they are checked.

Only imported rows go through this, not stored records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pagetrail.annotation.document_names import DocumentNames, composed
from pagetrail.annotation.readable_errors import short_value
from pagetrail.annotation.tasks.task import OLDER_NAMES
from pagetrail.annotation.tasks.variants import VARIANT_OF
from pagetrail.storage.importers.files.field_types import answer_text
from pagetrail.storage.importers.tasks.plain_columns import collect_references

_REFERENCES = ("evidence", "answer_locations", "candidates")
_IN_GOLD = ("pages", "boxes")
_TABLES = "tables"


def with_stripped_ids(data: dict[str, Any]) -> dict[str, Any]:
    """The row without white space around its id and its original's; itself if there is none."""
    ids = {name: data[name] for name in ("id", VARIANT_OF) if isinstance(data.get(name), str)}
    stripped = {name: id_.strip() for name, id_ in ids.items()}
    return data if stripped == ids else data | stripped


def normalize_row(data: dict[str, Any], pages_from: int) -> dict[str, Any]:
    """The row with lists of references, 1-based pages, and ``answer`` among the variants.

    Args:
        pages_from: number of a document's first page in the file, 0 or 1.

    Raises:
        ValueError: a struct of lists of different lengths; an invalid ``answer``, or one that is
            not among the ``answer_variants``; page columns that cannot be read.
    """
    data = _map_references(collect_references(data), _to_list_of_objects)
    if pages_from != 1:
        data = _map_references(data, lambda name, refs: _shift_pages(refs, 1 - pages_from))
    return _with_answer(data)


def refers_to_page_0(data: Mapping[str, Any]) -> bool:
    """Whether any evidence or candidate of a row is on page 0."""
    refs = (ref for name in _REFERENCES for ref in _list(data.get(name)))
    return any(isinstance(ref, dict) and _page_number(ref.get("page")) == 0 for ref in refs)


def with_stored_names(
    data: dict[str, Any], documents: DocumentNames
) -> tuple[dict[str, Any], bool]:
    """The row with the stored names of the documents that it refers to.

    Malformed parts stay as they are, and so do names that mean no document.

    Returns:
        The row, and whether it calls a document by an alias.
    """
    is_alias = False

    def renamed(reference: dict[str, Any]) -> dict[str, Any]:
        nonlocal is_alias
        changed = {}
        for key in ("document", "file"):
            name = reference.get(key)
            if not isinstance(name, str):
                continue
            document = documents.find(name)
            if document is not None:
                is_alias |= composed(document) != composed(name)
                changed[key] = document
        return reference | changed

    def with_names(_: str, references: Any) -> Any:
        if not isinstance(references, list):
            return references
        return [renamed(item) if isinstance(item, dict) else item for item in references]

    return _map_references(
        data, with_names, (*_REFERENCES, _TABLES), (*_IN_GOLD, _TABLES)
    ), is_alias


def _map_references(
    data: dict[str, Any],
    change: Callable[[str, Any], Any],
    fields: Sequence[str] = _REFERENCES,
    gold_fields: Sequence[str] = _IN_GOLD,
) -> dict[str, Any]:
    changed = {name: change(name, data[name]) for name in fields if data.get(name)}
    gold = data.get("gold")
    if isinstance(gold, dict):
        parts = {n: change(f"gold.{n}", gold[n]) for n in gold_fields if gold.get(n)}
        changed["gold"] = {**gold, **parts}
    return {**data, **changed}


def _to_list_of_objects(name: str, refs: Any) -> Any:
    """A struct of lists, as written by Hugging Face's ``Sequence``, as a list of structs."""
    if not isinstance(refs, dict) or not all(isinstance(part, list) for part in refs.values()):
        return refs
    if len({len(part) for part in refs.values()}) > 1:
        lengths = ", ".join(f"{key} {len(part)}" for key, part in refs.items())
        raise ValueError(f"{name}: its lists differ in length: {lengths}")
    return [dict(zip(refs, parts, strict=True)) for parts in zip(*refs.values(), strict=True)]


def _shift_pages(refs: Any, by: int) -> Any:
    return [
        {**ref, "page": page + by}
        if isinstance(ref, dict) and (page := _page_number(ref.get("page"))) is not None
        else ref
        for ref in _list(refs)
    ] or refs


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _page_number(page: Any) -> int | None:
    """The page number, given as a whole number or as text, else None."""
    if isinstance(page, bool):
        return None
    if isinstance(page, float) and page.is_integer():
        return int(page)
    if isinstance(page, str) and page.strip().isdecimal():
        return int(page)
    return page if isinstance(page, int) else None


def _with_answer(data: dict[str, Any]) -> dict[str, Any]:
    """The row with its ``answer``, if any, merged into ``answer_variants``."""
    answer_value = data.get("answer")
    if answer_value is None or answer_value in ("", []):
        return data
    try:
        answer = [
            answer_text(item)
            for item in (answer_value if isinstance(answer_value, list) else [answer_value])
        ]
    except ValueError as error:
        raise ValueError(f"answer: {error}") from error
    row_without_answer = {name: value for name, value in data.items() if name != "answer"}
    older = next(old for old, new in OLDER_NAMES.items() if new == "answer_variants")
    variants = next((data[n] for n in ("answer_variants", older) if data.get(n)), None)
    if variants is None:
        return row_without_answer | {"answer_variants": [answer]}
    variant_list = _list(variants)
    nested = (
        variant_list if any(isinstance(item, list) for item in variant_list) else [variant_list]
    )
    if answer not in [list(map(str, item)) for item in nested if isinstance(item, list)]:
        raise ValueError(
            f"answer: {short_value(answer_value)} is not one of the answer_variants, so it is "
            "unclear which counts; leave one of them out"
        )
    return row_without_answer
