"""What a call of ``read_page`` returned: which page it was and, on request, its text or image."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagetrail.exports.formats.tool_calls import Call
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import json_text
from pagetrail.exports.writing.page_images import FOLDER, Place, draw, picture_of


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

    def __init__(self, source: Source, written: Written, folder: Path | None = None) -> None:
        self._source = source
        self._written = written
        self._folder = folder
        self._files: dict[Place, str | None] = {}

    def of(self, call: Call) -> PageReply | None:
        """What the call returned; None where that is not known."""
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
        wanted = self._source.page_content == "image"
        return PageReply(json_text(fields), self._image(call.page) if wanted else None)

    def _image(self, place: Place) -> str | None:
        if self._folder is None:
            jpeg = self._draw(place)
            return None if jpeg is None else f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"
        if place not in self._files:
            self._files[place] = self._save(place, self._folder)
        return self._files[place]

    def _save(self, place: Place, folder: Path) -> str | None:
        picture, jpeg = picture_of(self._source, place), self._draw(place)
        if picture is None or jpeg is None:
            return None
        (folder / FOLDER).mkdir(exist_ok=True)
        (folder / picture.file).write_bytes(jpeg)
        self._written.rows[picture.file] = 1
        return picture.file

    def _draw(self, place: Place) -> bytes | None:
        self._written.choices |= {"dpi": self._source.dpi}
        picture = picture_of(self._source, place)
        return None if picture is None else draw(self._source, self._written, picture)
