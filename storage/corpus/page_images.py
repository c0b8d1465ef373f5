"""Pictures of pages, drawn once and then read from the workspace's cache."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path
from threading import Lock

from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.corpus.documents import Corpus, check_page
from pagetrail.storage.corpus.pdf import RENDERER, PdfPages
from pagetrail.storage.database.workspace import Workspace

MIN_DPI, MAX_DPI = 24, 300
_STRIPES = 64
_log = logging.getLogger(__name__)


class PageImages:
    """JPEG pictures of displayed pages by (document hash, page, dpi); safe between threads.

    The cache folder may be deleted, full or read-only: pages are then drawn each time.
    """

    def __init__(
        self, workspace: Workspace, corpus: Corpus | None = None, pdf: PdfPages | None = None
    ) -> None:
        self._corpus = corpus or Corpus(workspace)
        self._pdf = pdf or PdfPages()
        self._folder = workspace.cache_dir / "pages" / RENDERER
        self._locks = [Lock() for _ in range(_STRIPES)]

    def jpeg(self, sha256: str, page: int, dpi: int = 150) -> bytes:
        """The page's picture.

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
            raise NotFoundError(f"No document of this workspace has the hash {sha256[:80]!r}.")
        check_page(info, page)
        if not MIN_DPI <= dpi <= MAX_DPI:
            raise NotFoundError(f"Pages are drawn at {MIN_DPI} to {MAX_DPI} dpi, not at {dpi}.")
        cached = self._folder / sha256[:2] / sha256 / f"{page}-{dpi}.jpg"
        picture = _read(cached)
        if picture is None:
            with self._locks[hash((sha256, page, dpi)) % _STRIPES]:
                picture = _read(cached)
                if picture is None:
                    picture = self._pdf.render_jpeg(self._corpus.path(sha256), page, dpi)
                    _write(cached, picture)
        return picture


def _read(path: Path) -> bytes | None:
    """The cached picture; None where there is none, or only a part after a power cut."""
    try:
        picture = path.read_bytes()
    except OSError:
        return None
    return picture if picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9") else None


def _write(path: Path, picture: bytes) -> None:
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(picture)
        Path(temporary).replace(path)
    except OSError as error:
        _log.warning("page cache not written: %s", error)
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
