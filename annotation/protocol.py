"""Protocols as data: a preset switches on parts of the one workspace screen."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from annotation.errors import NotFoundError, ProtocolError

_PRESETS = files("annotation") / "protocols"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SearchPart(_Part):
    """The search bar. With all aids off, people see what agents see: ranked pages only."""

    enabled: bool = True
    top_k: int = Field(default=5, ge=1, le=100, description="pages a search returns")
    snippets: bool = Field(default=False, description="matching text under each result")
    highlights: bool = Field(default=False, description="matched words outlined on the page")
    suggestions: bool = Field(default=False, description='"did you mean" after an empty result')

    @property
    def parity(self) -> bool:
        """Whether people get no more help from the search than agents do."""
        return not (self.snippets or self.highlights or self.suggestions)


class EvidencePart(_Part):
    """Citing pages."""

    enabled: bool = True
    required: bool = Field(default=True, description="an answer needs at least one citation")
    max_pages: int = Field(default=100, ge=1, le=1_000, description="citations a task may have")


class AnswerPart(_Part):
    """The answer box."""

    kind: Literal["list", "text"] = Field(default="list", description="one answer a line, or prose")
    unanswerable: bool = Field(
        default=False, description="may the annotator declare the question unanswerable"
    )


class ClockPart(_Part):
    """The clock in the sidebar."""

    visible: bool = True
    pause: bool = True


class Protocol(_Part):
    """What a campaign asks of its annotators.

    Attributes:
        name: the setting's name; part of an attempt's identity.
        pages: ``search`` (whatever search and browsing reach), ``given`` (each task's candidate
            list) or ``gold`` (each task's evidence pages).
        browse: may the annotator page through a whole document, or only the given pages.
    """

    name: str = Field(min_length=1, max_length=60)
    title: str = Field(min_length=1, max_length=200)
    pages: Literal["search", "given", "gold"] = "search"
    browse: bool = True
    search: SearchPart = SearchPart()
    evidence: EvidencePart = EvidencePart()
    answer: AnswerPart = AnswerPart()
    clock: ClockPart = ClockPart()
    batch_size: int = Field(default=25, ge=1, le=1_000, description="tasks in a batch")
    overlap: int = Field(default=1, ge=1, le=100, description="annotators a task")


def preset_names() -> list[str]:
    """The presets that come with the product."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in _PRESETS.iterdir()
        if entry.name.endswith(".toml")
    )


def preset(name: str) -> Protocol:
    """The preset of that name.

    Raises:
        NotFoundError: there is none; the message lists those that exist.
    """
    if name not in preset_names():
        known = ", ".join(preset_names())
        raise NotFoundError(f"There is no protocol preset {name!r}. Presets: {known}.")
    return parse((_PRESETS / f"{name}.toml").read_text(encoding="utf-8"), source=f"{name}.toml")


def guidelines(name: str) -> str:
    """The preset's guidelines in Markdown; empty when it has none."""
    page = _PRESETS / f"{name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def load(path: Path) -> Protocol:
    """The protocol in a TOML file of one's own.

    Raises:
        ProtocolError: unreadable, not TOML, or not a protocol; names the file and the key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProtocolError(f"{path} cannot be read: {error}") from error
    return parse(text, source=str(path))


def parse(text: str, *, source: str) -> Protocol:
    """The protocol in a TOML text; ``source`` names it in errors."""
    try:
        return Protocol.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ProtocolError(f"{source} is not TOML: {error}") from error
    except ValidationError as error:
        raise ProtocolError(f"{source}: {describe(error)}") from error


def override(base: Protocol, changes: dict[str, Any]) -> Protocol:
    """``base`` with some keys changed; a dotted key reaches into a part (``search.top_k``).

    Raises:
        ProtocolError: a key that does not exist or a value that is not allowed.
    """
    data = base.model_dump()
    for key, value in changes.items():
        *parents, leaf = key.split(".")
        node: Any = data
        for parent in parents:
            node = node.get(parent) if isinstance(node, dict) else None
        if not isinstance(node, dict) or leaf not in node:
            raise ProtocolError(f"The protocol {base.name} has no setting {key!r}.")
        node[leaf] = value
    try:
        return Protocol.model_validate(data)
    except ValidationError as error:
        raise ProtocolError(f"Protocol {base.name}: {describe(error)}") from error


def describe(error: ValidationError) -> str:
    """The first problems of a validation, as ``key: what is wrong``."""
    lines = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'top level'}: {problem['msg']}"
        for problem in error.errors()[:3]
    ]
    return "; ".join(lines)
