"""The settings an import asks for, against those the campaign has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import ConflictError, PagetrailError, ProtocolError
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.annotation.protocols.lint import Problem, lint
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.toml_text import MAX_CHARS
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.tables import Campaign

DEFAULT_PROTOCOL = "search"
MAX_CAMPAIGN_NAME = 100
_SHOWN = 3


def resolve_protocol(name: str) -> Protocol:
    """The preset of that name, or the protocol in the TOML file at that path.

    Raises:
        NotFoundError: no such preset.
        ProtocolError: the file is not a protocol; names the first things that are wrong.
    """
    if not name.lower().endswith(".toml"):
        return protocols.preset(name)
    wrong = check_protocol_file(Path(name))
    if wrong:
        said = "; ".join(problem.sentence(printable(name)) for problem in wrong[:_SHOWN])
        more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise ProtocolError(f"{said}{more}. Check the file to see all.")
    return protocols.load(Path(name))


def check_protocol_file(path: Path) -> list[Problem]:
    """All problems of a protocol file; empty where it can be used.

    Raises:
        ProtocolError: it cannot be read at all.
    """
    try:
        with path.open(encoding="utf-8") as file:
            return lint(file.read(MAX_CHARS + 1))
    except OSError as error:
        raise ProtocolError(
            f"{printable(path)} cannot be read: {error.strerror or error}."
        ) from error
    except UnicodeDecodeError as error:
        raise ProtocolError(f"{printable(path)} is not UTF-8. Save it as UTF-8.") from error


def check_campaign_name(name: str) -> None:
    """Refuse a name that is empty, too long, unprintable or has space around it.

    Raises:
        PagetrailError: with the code ``invalid_name``.
    """
    if not 0 < len(name) <= MAX_CAMPAIGN_NAME or not name.isprintable() or name != name.strip():
        raise PagetrailError(
            f"{name[:MAX_CAMPAIGN_NAME]!r} cannot name a campaign: a name has 1 to "
            f"{MAX_CAMPAIGN_NAME} visible characters and no space around it.",
            code="invalid_name",
        )


def wanted_protocol(
    row: Campaign | None,
    protocol: Protocol | str | None,
    settings: dict[str, Any] | None,
    batch_size: int | None,
    overlap: int | None,
) -> Protocol:
    """The protocol that an import asks for: named or the campaign's own, with its changes.

    Raises:
        NotFoundError, ProtocolError: the protocol or a setting does not exist.
    """
    if isinstance(protocol, str):
        protocol = resolve_protocol(protocol)
        if row is not None:
            protocol = _without_later_settings(protocol, row.protocol)
    if protocol is None:
        if row is not None:
            protocol = stored_protocol(row.protocol)
        else:
            protocol = protocols.preset(DEFAULT_PROTOCOL)
    changes = dict(settings or {})
    if row is not None:
        # How an earlier import was cut is no property of the tasks that come in now.
        stored = stored_protocol(row.protocol)
        changes = {"overlap": stored.overlap, "batch_size": stored.batch_size, **changes}
    if batch_size is not None:
        changes["batch_size"] = batch_size
    if overlap is not None:
        changes["overlap"] = overlap
    return protocols.override(protocol, changes)


def _without_later_settings(asked: Protocol, raw: dict[str, Any]) -> Protocol:
    """A preset that has got a setting since the campaign was made is still the campaign's."""
    stored = stored_protocol(raw).model_dump()
    values = asked.model_dump()
    for key, value in values.items():
        if key not in raw:
            values[key] = stored[key]
        elif isinstance(value, dict) and isinstance(raw[key], dict):
            values[key] = {
                k: v if k in raw[key] else stored[key].get(k, v) for k, v in value.items()
            }
    return Protocol.model_validate(values)


def require_same(row: Campaign, asked: Protocol, seed: int | None, guidelines: str | None) -> None:
    """Refuse settings that are not those of the campaign ``row``; batches may differ in size.

    Raises:
        ConflictError: names each setting with both values.
    """
    stored = stored_protocol(row.protocol)
    differing = _differences(
        stored.model_dump(exclude={"batch_size"}), asked.model_dump(exclude={"batch_size"})
    )
    if seed is not None and seed != row.seed:
        differing.append(f"seed ({row.seed}, not {seed})")
    if guidelines is not None and guidelines != row.guidelines:
        differing.append("guidelines")
    if differing:
        raise ConflictError(
            f"Campaign {row.name} exists with other settings: {', '.join(differing)}. "
            "To add tasks to it, keep its own settings; otherwise choose another campaign name."
        )


def _differences(stored: dict[str, Any], asked: dict[str, Any], prefix: str = "") -> list[str]:
    found = []
    for key, value in stored.items():
        if isinstance(value, dict):
            found += _differences(value, asked[key], f"{prefix}{key}.")
        elif asked[key] != value:
            found.append(f"{prefix}{key} ({value}, not {asked[key]})")
    return found
