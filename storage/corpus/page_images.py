"""Images and words of pages of registered documents, for screens and agents."""

from __future__ import annotations

from threading import Lock

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.storage.corpus.changes import NORMALISED_KEY
from pagetrail.storage.corpus.documents import Corpus, check_page
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT, ImageCache
from pagetrail.storage.corpus.local_files import PAGE_WAIT_S
from pagetrail.storage.corpus.page_values import Word
from pagetrail.storage.corpus.page_workers import PageOfFile, PageWorkers
from pagetrail.storage.corpus.recognised_words import recognised_words
from pagetrail.storage.corpus.word_joining import with_joints
from pagetrail.storage.database.workspace import Workspace

MIN_DPI, MAX_DPI = 24, 300
_STRIPES = 64


class PageImages:
    """JPEG images of displayed pages by (document hash, page, dpi), and words. Thread-safe.

    Worker processes render the images, which are then read from the workspace's cache.

    Args:
        cache_limit: bytes of images on disk, beyond which the least recently used are removed.
    """

    def __init__(
        self,
        workspace: Workspace,
        corpus: Corpus | None = None,
        workers: PageWorkers | None = None,
        cache_limit: int = DEFAULT_LIMIT,
    ) -> None:
        self._workspace = workspace
        self._corpus = corpus or Corpus(workspace)
        self.workers = workers or PageWorkers(workspace.cache_dir, cache_limit)
        self._cache = ImageCache(workspace.cache_dir, cache_limit)
        self._locks = [Lock() for _ in range(_STRIPES)]

    def jpeg(self, sha256: str, page: int, dpi: int = 150) -> bytes:
        """The page's image. Simultaneous requests for one image render it once.

        Args:
            sha256: hash of the document's file, hexadecimal.
            page: 1-based.
            dpi: 24–300; a page that would exceed the pixel limit is rendered smaller.

        Raises:
            NotFoundError: no such document or page, or a dpi out of range.
            PageRefused, Busy, CorpusError: see ``PageWorkers.jpeg``.
            Busy, CorpusError, StorageError: the document is not available; see ``local_pdf``.
        """
        info = self._require(sha256, page)
        if not MIN_DPI <= dpi <= MAX_DPI:
            raise NotFoundError(
                gettext(
                    "Pages are drawn at {min_dpi} to {max_dpi} dpi, not at {dpi}.",
                    min_dpi=MIN_DPI,
                    max_dpi=MAX_DPI,
                    dpi=dpi,
                )
            )
        image = self._cache.read(sha256, page, dpi)
        if image is None:
            with self._locks[hash((sha256, page, dpi)) % _STRIPES]:
                image = self._cache.read(sha256, page, dpi)
                if image is None:
                    image = self.workers.jpeg(self._source(info, page), dpi)
        return image

    def cached(self, sha256: str, page: int, dpi: int) -> bytes | None:
        """The image of an existing page if it is cached, or None."""
        return self._cache.read(sha256, page, dpi)

    def words(self, sha256: str, page: int) -> list[Word]:
        """The page's words: recognised ones if there are any, else see ``PageWorkers.words``.

        Where the texts of pages are normalised, so are they.

        Raises:
            NotFoundError: no such document or page.
            PageRefused, Busy, CorpusError: see ``PageWorkers.jpeg``.
            Busy, CorpusError, StorageError: the document is not available; see ``local_pdf``.
        """
        info = self._require(sha256, page)
        recognised = recognised_words(self._workspace, sha256, page)
        words = recognised or self.workers.words(self._source(info, page))
        is_normalised = self._workspace.meta(NORMALISED_KEY) is not None
        return with_joints(words) if is_normalised else words

    def _require(self, sha256: str, page: int) -> DocumentInfo:
        info = self._corpus.document_by_hash(sha256)
        if info is None:
            raise NotFoundError(
                gettext(
                    "No document in this workspace has the hash {sha256!r}.", sha256=sha256[:80]
                )
            )
        check_page(info, page)
        return info

    def _source(self, info: DocumentInfo, page: int) -> PageOfFile:
        path = self._corpus.path(info.sha256, PAGE_WAIT_S)
        return PageOfFile(path, info.sha256, info.name, page)
