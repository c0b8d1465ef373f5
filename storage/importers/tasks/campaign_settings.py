"""Settings that an import requests, compared with those of the campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import ConflictError, PagetrailError, ProtocolError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.annotation.protocols.lint import Problem, lint
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.toml_text import MAX_CHARS
from pagetrail.annotation.sentences import join_first
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.tables import Campaign

DEFAULT_PROTOCOL = "search"
MAX_CAMPAIGN_NAME = 100
_MAX_PROBLEMS = 3


def resolve_protocol(name: str) -> Protocol:
    """The preset with this name, or the protocol in the TOML file with this path.

    Raises:
        NotFoundError: no such preset.
        ProtocolError: the file is not a valid protocol; names the first problems.
    """
    if not name.lower().endswith(".toml"):
        return protocols.preset(name)
    problems = [problem.sentence(printable(name)) for problem in check_protocol_file(Path(name))]
    if problems:
        problem_list = join_first(problems, _MAX_PROBLEMS, "; ")
        raise ProtocolError(
            gettext(
                "{problem_list}. Check the file to see all problems.", problem_list=problem_list
            )
        )
    return protocols.load(Path(name))


def check_protocol_file(path: Path) -> list[Problem]:
    """All problems of a protocol file.

    Raises:
        ProtocolError: the file cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as file:
            return lint(file.read(MAX_CHARS + 1))
    except OSError as error:
        raise ProtocolError(
            gettext(
                "{path} cannot be read: {error}.",
                path=printable(path),
                error=error.strerror or error,
            )
        ) from error
    except UnicodeDecodeError as error:
        raise ProtocolError(
            gettext("{path} is not UTF-8. Save it as UTF-8.", path=printable(path))
        ) from error


def check_campaign_name(name: str) -> None:
    """Refuse a name that is empty, too long, unprintable, or has leading or trailing space.

    Raises:
        PagetrailError: with the code ``invalid_name``.
    """
    if not 0 < len(name) <= MAX_CAMPAIGN_NAME or not name.isprintable() or name != name.strip():
        raise PagetrailError(
            gettext(
                "{name!r} cannot be the name of a campaign: a name has 1 to "
                "{max_campaign_name} visible characters, without leading or trailing "
                "space.",
                name=name[:MAX_CAMPAIGN_NAME],
                max_campaign_name=MAX_CAMPAIGN_NAME,
            ),
            code="invalid_name",
        )


def requested_protocol(
    row: Campaign | None,
    protocol: Protocol | str | None,
    settings: dict[str, Any] | None,
    batch_size: int | None,
    overlap: int | None,
) -> Protocol:
    """The protocol for an import, named or the campaign's own, with the requested changes.

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
        # Overlap and batch size stay those of the campaign unless the import changes them.
        stored = stored_protocol(row.protocol)
        changes = {"overlap": stored.overlap, "batch_size": stored.batch_size, **changes}
    if batch_size is not None:
        changes["batch_size"] = batch_size
    if overlap is not None:
        changes["overlap"] = overlap
    return protocols.with_overrides(protocol, changes)


def _without_later_settings(requested: Protocol, raw: dict[str, Any]) -> Protocol:
    """The protocol with the campaign's values for settings that presets gained since."""
    stored = stored_protocol(raw).model_dump()
    values = requested.model_dump()
    for key, value in values.items():
        if key not in raw:
            values[key] = stored[key]
        elif isinstance(value, dict) and isinstance(raw[key], dict):
            values[key] = {
                k: v if k in raw[key] else stored[key].get(k, v) for k, v in value.items()
            }
    return Protocol.model_validate(values)


def require_same(
    row: Campaign, requested: Protocol, seed: int | None, guidelines: str | None
) -> None:
    """Refuse settings that differ from the campaign's, except the batch size.

    Raises:
        ConflictError: names each setting with both values.
    """
    stored = stored_protocol(row.protocol)
    differing = _differences(
        stored.model_dump(exclude={"batch_size"}), requested.model_dump(exclude={"batch_size"})
    )
    if seed is not None and seed != row.seed:
        differing.append(f"seed ({row.seed}, not {seed})")
    if guidelines is not None and guidelines != row.guidelines:
        differing.append("guidelines")
    if differing:
        raise ConflictError(
            gettext(
                "Campaign {name} exists with other settings: {differing}. To add tasks "
                "to it, keep its own settings; otherwise choose another campaign name.",
                name=row.name,
                differing=", ".join(differing),
            )
        )


def _differences(stored: dict[str, Any], requested: dict[str, Any], prefix: str = "") -> list[str]:
    differences = []
    for key, value in stored.items():
        if isinstance(value, dict):
            differences += _differences(value, requested[key], f"{prefix}{key}.")
        elif requested[key] != value:
            differences.append(f"{prefix}{key} ({value}, not {requested[key]})")
    return differences
