"""Derives document and page from an image name such as ``report_p3.png`` or ``report.pdf#3``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.storage.database.storable_text import printable

MAX_NAME = 1_000

_IMAGE = re.compile(r"\.(?:png|jpe?g|jfif|webp|tiff?|gif|bmp|avif|jp2|svg)$", re.IGNORECASE)
_FRAGMENT = re.compile(r"#(?:page=?|p)?0*([1-9][0-9]{0,6})$", re.IGNORECASE)
_NUMBERED = re.compile(r"[ _.-](?:(?:page|pg|p)[ _.-]*)?0*([1-9][0-9]{0,6})$", re.IGNORECASE)
_UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")
_LOCAL_FILE = re.compile(r"\?(?:.*&)?d=([^&#]+)")


class NamedPage(NamedTuple):
    """A document and page that a name may stand for; page None if the name has no number."""

    document: str
    page: int | None


def base_name(name: str) -> str:
    """The last part of a path or URL, unquoted."""
    local = _LOCAL_FILE.search(name)
    if local:
        name = local[1]
    elif "://" in name or name.startswith("/data/"):
        name = name.partition("?")[0]
    return unquote(name).replace("\\", "/").rstrip("/").rpartition("/")[2]


def looks_like_image(name: str) -> bool:
    """Whether a text ends like an image name."""
    return _IMAGE.search(base_name(name[:MAX_NAME])) is not None


def guess_pages(name: str) -> Iterator[NamedPage]:
    """Pages that an image name may stand for, most likely first.

    Pages are counted from 1, as by programs that split PDFs into images. Names are finally tried
    without the eight digits that Label Studio prepends to uploaded files.
    """
    base = base_name(name[:MAX_NAME])
    yield from _guess_from_base(base)
    if _UPLOADED.match(base):
        yield from _guess_from_base(base[9:])


def _guess_from_base(base: str) -> Iterator[NamedPage]:
    fragment = _FRAGMENT.search(base)
    page = int(fragment[1]) if fragment else None
    stem = _IMAGE.sub("", _FRAGMENT.sub("", base))
    if not stem:
        return
    if stem.lower().endswith(".pdf"):
        yield NamedPage(stem, page)
        return
    yield NamedPage(f"{stem}.pdf", page)
    numbered = _NUMBERED.search(stem)
    if numbered and page is None:
        stem = stem[: numbered.start()].rstrip(" _.-")
        suffix = "" if stem.lower().endswith(".pdf") else ".pdf"
        if stem:
            yield NamedPage(stem + suffix, int(numbered[1]))


def find_named_page(name: str, documents: DocumentNames, is_page_known: bool) -> NamedPage | str:
    """The document and page that a name stands for, or the reason why there is none.

    Args:
        is_page_known: whether the page is stated elsewhere, so that only the document matters.
    """
    for guess in guess_pages(name):
        document = documents.find_in_any_case(guess.document)
        if document is None:
            continue
        if guess.page is not None or is_page_known:
            return NamedPage(document, guess.page)
        if documents[document] == 1:
            return NamedPage(document, 1)
        # "plan_2020" is not read as page 2020 of "plan" if there is a document "plan_2020".
        return (
            f"the name {_shown_name(name)} has no page number, and {printable(document)} has "
            f"{documents[document]:,} pages; give a page number"
        )
    likely = sorted(guess_pages(name), key=lambda guess: guess.page is None)
    if not likely:
        return f"the name {_shown_name(name)!r} contains no document name"
    unknown = documents.problem(likely[0].document)
    return f"no page matches the name {_shown_name(name)}: {unknown}"


def _shown_name(name: str) -> str:
    return printable(name[:200])
