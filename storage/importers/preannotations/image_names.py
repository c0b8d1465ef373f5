"""Which page is meant by the name of an image: ``report_p3.png``, ``report.pdf#3`` and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.name_suggestions import DocumentNames

MAX_NAME = 1_000

_IMAGE = re.compile(r"\.(?:png|jpe?g|jfif|webp|tiff?|gif|bmp|avif|jp2|svg)$", re.IGNORECASE)
_FRAGMENT = re.compile(r"#(?:page=?|p)?0*([1-9][0-9]{0,6})$", re.IGNORECASE)
_NUMBERED = re.compile(r"[ _.-](?:(?:page|pg|p)[ _.-]*)?0*([1-9][0-9]{0,6})$", re.IGNORECASE)
_UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")
_LOCAL_FILE = re.compile(r"\?(?:.*&)?d=([^&#]+)")


class Meant(NamedTuple):
    """A document that a name may mean, and the page; None where the name says none."""

    document: str
    page: int | None


def base_name(name: str) -> str:
    """The last part of a path or URL, as it was before it was quoted."""
    local = _LOCAL_FILE.search(name)
    if local:
        name = local[1]
    elif "://" in name or name.startswith("/data/"):
        name = name.partition("?")[0]
    return unquote(name).replace("\\", "/").rstrip("/").rpartition("/")[2]


def looks_like_image(name: str) -> bool:
    """Whether a text ends as the names of images do."""
    return _IMAGE.search(base_name(name[:MAX_NAME])) is not None


def guesses(name: str) -> Iterator[Meant]:
    """What an image's name may mean, the most likely first.

    Pages in names are counted from 1, as the programs that cut PDFs into images do. The eight
    digits that Label Studio puts before an uploaded file's name are passed over last.
    """
    base = base_name(name[:MAX_NAME])
    yield from _of_base(base)
    if _UPLOADED.match(base):
        yield from _of_base(base[9:])


def _of_base(base: str) -> Iterator[Meant]:
    fragment = _FRAGMENT.search(base)
    page = int(fragment[1]) if fragment else None
    stem = _IMAGE.sub("", _FRAGMENT.sub("", base))
    if not stem:
        return
    if stem.lower().endswith(".pdf"):
        yield Meant(stem, page)
        return
    yield Meant(f"{stem}.pdf", page)
    numbered = _NUMBERED.search(stem)
    if numbered and page is None:
        stem = stem[: numbered.start()].rstrip(" _.-")
        suffix = "" if stem.lower().endswith(".pdf") else ".pdf"
        if stem:
            yield Meant(stem + suffix, int(numbered[1]))


def find(
    name: str, pages: Mapping[str, int], known: DocumentNames, page_given: bool
) -> Meant | str:
    """The document and page that a name means, or the sentence why it means none.

    Args:
        pages: document → number of pages.
        page_given: whether the page is stated elsewhere, so that only the document is wanted.
    """
    for guess in guesses(name):
        document = known.same_but_case(guess.document)
        if document is None:
            continue
        if guess.page is not None or page_given:
            return Meant(document, guess.page)
        if pages[document] == 1:
            return Meant(document, 1)
        # A name such as "plan_2020" is not looked at as page 2020 of "plan" then.
        return (
            f"the name {_shown(name)} says no page, and {printable(document)} has "
            f"{pages[document]:,}; give a page number"
        )
    likely = sorted(guesses(name), key=lambda guess: guess.page is None)
    if not likely:
        return f"the name {_shown(name)!r} names no document"
    return f"the name {_shown(name)} leads to no page: {known.unknown(likely[0].document)}"


def _shown(name: str) -> str:
    return printable(name[:200])
