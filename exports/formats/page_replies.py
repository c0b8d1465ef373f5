"""Replies of ``read_page`` calls: the page and, on request, its text or image."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagetrail.exports.formats.tool_calls import Call
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import FileNames, json_text
from pagetrail.exports.writing.page_images import FOLDER, PageKey, draw_page_image, page_image


@dataclass(frozen=True)
class PageReply:
    """A reply of a tool.

    Attributes:
        text: of ``read_page`` JSON with ``file``, ``page``, ``n_pages`` and, on request, ``text``.
        image: path of the page's image below the export's folder, or the image as a data URI;
            None unless it was asked for and can be drawn.
    """

    text: str
    image: str | None = None


class PageReplies:
    """Replies of the calls of an export.

    Args:
        folder: of the export, where images become files; None where they become data URIs.
    """

    def __init__(self, source: Source, tally: WrittenFiles, folder: Path | None = None) -> None:
        self._source = source
        self._tally = tally
        self._folder = folder
        self._files: dict[PageKey, str | None] = {}
        self._names = FileNames()

    def reply_to(self, call: Call) -> PageReply | None:
        """The reply; None if it is not known."""
        if call.reply is not None:
            return PageReply(call.reply)
        if call.page is None:
            return None
        name, page = call.page
        pages = self._source.pages
        info = pages.document(name)
        fields: dict[str, Any] = {"file": name, "page": page}
        if info is not None:
            fields["n_pages"] = info.n_pages
        if self._source.page_content == "text":
            fields["text"] = pages.text(name, page)
        has_image = self._source.page_content == "image"
        return PageReply(json_text(fields), self._image(call.page) if has_image else None)

    def _image(self, page_ref: PageKey) -> str | None:
        if self._folder is None:
            jpeg = self._draw(page_ref)
            return None if jpeg is None else f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"
        if page_ref not in self._files:
            self._files[page_ref] = self._save(page_ref, self._folder)
        return self._files[page_ref]

    def _save(self, page_ref: PageKey, folder: Path) -> str | None:
        picture, jpeg = page_image(self._source, page_ref, self._names), self._draw(page_ref)
        if picture is None or jpeg is None:
            return None
        (folder / FOLDER).mkdir(exist_ok=True)
        (folder / picture.file).write_bytes(jpeg)
        self._tally.rows[picture.file] = 1
        return picture.file

    def _draw(self, page_ref: PageKey) -> bytes | None:
        self._tally.choices |= {"dpi": self._source.dpi}
        picture = page_image(self._source, page_ref, self._names)
        return None if picture is None else draw_page_image(self._source, self._tally, picture)
