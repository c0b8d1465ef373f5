"""What belongs to a part, and is taken with it from the same person.

A field belongs to the field that its condition, or that of its options, is on; boxes to the field
that names their kinds, and to the one that allows them; the outcome to the answer, and to the field
that can end the task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review.selections import Pick


def with_belongings(
    protocol: Protocol, picks: Mapping[str, Pick], proposed: Mapping[str, Pick]
) -> dict[str, Pick]:
    """All parts: as picked, with the part that they belong to, or as proposed.

    Args:
        picks: what the reviewer chose.
        proposed: every part.
    """
    merged_picks = dict(picks)
    for part, leaders in _belongings(protocol):
        if part in picks or part not in proposed:
            continue
        for leader in leaders:
            follower = _following(merged_picks.get(leader), proposed[part])
            if follower is not None:
                merged_picks[part] = follower
                break
    return {part: merged_picks.get(part, pick) for part, pick in proposed.items()} | {
        part: pick for part, pick in picks.items() if part not in proposed
    }


def _belongings(protocol: Protocol) -> Iterator[tuple[str, list[str]]]:
    """Each part with those that it belongs to, the nearest first."""
    yield "outcome", ["answer", *([protocol.ends.field] if protocol.ends else [])]
    for spec in protocol.fields:
        if spec.scope != "box":  # goes with its boxes
            yield spec.name, _conditions(spec)
    if protocol.boxes.enabled:
        on = [protocol.boxes.when.field] if protocol.boxes.when else []
        yield "boxes", [*(spec.name for spec in protocol.fields if spec.matches_boxes), *on]


def _conditions(spec: FieldSpec) -> list[str]:
    on = [spec.when, *(option.when for option in spec.options)]
    return list(dict.fromkeys(condition.field for condition in on if condition is not None))


def _following(leader: Pick | None, proposed: Pick) -> Pick | None:
    """The choice that goes with the leader's; None where nobody is followed there."""
    if leader is None:
        return None
    if leader.how == "side":
        return replace(leader, pages=(), boxes=())
    if leader.how == "variants":  # those who answered, all of them
        return Pick("side", leader.sides[0])
    if leader.how == "edited":
        return Pick("edited")
    return replace(proposed, at=leader.at) if leader.at else None
