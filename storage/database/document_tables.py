"""What is stored of documents and their pages; see ``tables``."""

from __future__ import annotations

from sqlalchemy import Column, Text, UniqueConstraint
from sqlmodel import Field

from pagetrail.storage.database.base import Base


class Document(Base, table=True):
    """One PDF of the collection; its name is its file name, unique in the workspace."""

    __tablename__ = "document"
    id: int | None = Field(default=None, primary_key=True)
    sha256: str = Field(unique=True, index=True)
    name: str = Field(unique=True, index=True)
    n_pages: int
    size_bytes: int
    extractor: str
    ingested_at: str


class Page(Base, table=True):
    """One page as displayed: crop box applied, /Rotate applied, origin top-left."""

    __tablename__ = "page"
    __table_args__ = (UniqueConstraint("document_id", "number"),)
    id: int | None = Field(default=None, primary_key=True)
    document_id: int = Field(foreign_key="document.id", index=True)
    number: int
    width: float
    height: float
    rotation: int
    crop_x0: float
    crop_y0: float
    text_source: str
    text: str = Field(sa_column=Column(Text, nullable=False))
    order: int | None = Field(default=None, index=True)


class DocumentAlias(Base, table=True):
    """Another name under which a document's file came; never the name of a document."""

    __tablename__ = "document_alias"
    name: str = Field(primary_key=True)
    document_id: int = Field(foreign_key="document.id")


class RecognisedWords(Base, table=True):
    """The words that text recognition read on a page, as JSON: of each x0, y0, x1, y1 in points and
    the text."""

    __tablename__ = "recognised_words"
    page_id: int = Field(primary_key=True, foreign_key="page.id")
    words: str = Field(sa_column=Column(Text, nullable=False))
