"""Conditions of a study: the one that somebody works under, and its screen.

The condition is part of the attempt's setting, ``PROTOCOL+CONDITION``, so exports name it.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.protocols.sections import PrefilterPart
from pagetrail.annotation.protocols.study import CONDITION_PARTS

_SIGN = "+"


def setting_name(protocol_name: str, condition: str | None) -> str:
    """The setting of an attempt."""
    return protocol_name if condition is None else f"{protocol_name}{_SIGN}{condition}"


def condition_of(protocol_name: str, setting: str) -> str | None:
    """The condition in an attempt's setting; None where there is none."""
    start = f"{protocol_name}{_SIGN}"
    return setting.removeprefix(start) if setting.startswith(start) else None


def without_prefilter(protocol: Protocol) -> Protocol:
    """The protocol as anybody who grades pages may know it."""
    if protocol.prefilter == PrefilterPart():
        return protocol
    return protocol.model_copy(update={"prefilter": PrefilterPart()})


def under_condition(protocol: Protocol, setting: str) -> Protocol:
    """The protocol as a person works under it: without conditions, checks and pre-filter.

    Families name the systems, whose answers are judged blind.
    """
    if protocol.quality != QualityPart():
        protocol = protocol.model_copy(update={"quality": QualityPart()})
    if protocol.review.families:
        review = protocol.review.model_copy(update={"families": {}})
        protocol = protocol.model_copy(update={"review": review})
    protocol = without_prefilter(protocol)
    if not protocol.study.conditions:
        return protocol
    changes = protocol.study.conditions.get(condition_of(protocol.name, setting) or "", {})
    update: dict[str, object] = {"study": protocol.study.model_copy(update={"conditions": {}})}
    for name, part in CONDITION_PARTS.items():
        start = f"{name}."
        condition_settings = {
            key.removeprefix(start): value
            for key, value in changes.items()
            if key.startswith(start)
        }
        if condition_settings:
            update[name] = part.model_validate(
                getattr(protocol, name).model_dump() | condition_settings
            )
    if "browse" in changes:
        update["browse"] = changes["browse"]
    return protocol.model_copy(update=update)


def drawn_condition(
    protocol: Protocol, people: Mapping[str, int], campaign: str, person: str
) -> str | None:
    """The condition of a person who begins; None where the protocol has none.

    One of those that the fewest people have, by SHA-256 of campaign, person and condition, so that
    numbers differ by one at most and nobody can tell whose turn is next.

    Args:
        people: condition → how many people have it.
    """
    conditions = protocol.study.conditions
    if not conditions:
        return None
    fewest = min(people.get(name, 0) for name in conditions)
    least = [name for name in conditions if people.get(name, 0) == fewest]
    return min(least, key=lambda name: sha256(f"{campaign}:{person}:{name}".encode()).digest())
