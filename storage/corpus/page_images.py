"""Images of pages, drawn once and then read from the workspace's cache."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path
from threading import Lock

from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.corpus.documents import Corpus, check_page
from pagetrail.storage.corpus.pdf_pages import RENDERER, PdfPages
from pagetrail.storage.database.workspace import Workspace

MIN_DPI, MAX_DPI = 24, 300
_STRIPES = 64
_log = logging.getLogger(__name__)


class PageImages:
    """JPEG images of displayed pages by (document hash, page, dpi). Thread-safe.

    If the cache folder is deleted, full or read-only, pages are drawn each time.
    """

    def __init__(
        self, workspace: Workspace, corpus: Corpus | None = None, pdf: PdfPages | None = None
    ) -> None:
        self._corpus = corpus or Corpus(workspace)
        self._pdf = pdf or PdfPages()
        self._folder = workspace.cache_dir / "pages" / RENDERER
        self._locks = [Lock() for _ in range(_STRIPES)]

    def jpeg(self, sha256: str, page: int, dpi: int = 150) -> bytes:
        """The page's image.

        Args:
            sha256: hash of the document's file, hexadecimal.
            page: 1-based.
            dpi: 24–300; a page so large that it would exceed the pixel cap is drawn smaller.

        Raises:
            NotFoundError: no such document or page, or a dpi out of range.
            CorpusError: the page cannot be drawn.
        """
        info = self._corpus.document_by_hash(sha256)
        if info is None:
            raise NotFoundError(f"No document in this workspace has the hash {sha256[:80]!r}.")
        check_page(info, page)
        if not MIN_DPI <= dpi <= MAX_DPI:
            raise NotFoundError(f"Pages are drawn at {MIN_DPI} to {MAX_DPI} dpi, not at {dpi}.")
        cached = self._folder / sha256[:2] / sha256 / f"{page}-{dpi}.jpg"
        image = _read_cached(cached)
        if image is None:
            with self._locks[hash((sha256, page, dpi)) % _STRIPES]:
                image = _read_cached(cached)
                if image is None:
                    image = self._pdf.render_jpeg(self._corpus.path(sha256), page, dpi)
                    _write_cached(cached, image)
        return image


def _read_cached(path: Path) -> bytes | None:
    """The cached image; None if there is none, or only part of one after a power cut."""
    try:
        image = path.read_bytes()
    except OSError:
        return None
    return image if image.startswith(b"\xff\xd8") and image.endswith(b"\xff\xd9") else None


def _write_cached(path: Path, image: bytes) -> None:
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(image)
        Path(temporary).replace(path)
    except OSError as error:
        _log.warning("page cache not written: %s", error)
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
