"""What an attempt used: tokens by kind, dollars and waiting time, per turn and in all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.model_usage import ModelUsage

USAGE_FIELDS: tuple[str, ...] = tuple(ModelUsage.model_fields)
"""What is counted, in order: kinds of tokens, dollars, milliseconds."""


def attempt_usage(events: Sequence[ev.Event]) -> ModelUsage:
    """What the models of an attempt used in all.

    For each field: what the file of an imported run sums up, over its models; else the sum over
    the turns, if each turn in which a model acted states it; else None. A sum over some of the
    turns alone would be too small without saying so.
    """
    first = events[0].payload if events else None
    totals = first.totals if isinstance(first, ev.RunImported) else ()
    turns = [event.payload for event in events if isinstance(event.payload, ev.AgentTurn)]
    return run_usage(totals, turns)


def run_usage(totals: Sequence[ev.ModelTotal], turns: Sequence[ev.AgentTurn]) -> ModelUsage:
    """The same, of a run's totals and turns."""
    totals_usage = add_usages(total.usage for total in totals)
    summed = add_usages(turn.usage or ModelUsage() for turn in turns if turn.calls != 0)
    fields = {name: getattr(summed, name) for name in USAGE_FIELDS}
    fields |= {name: value for name, value in totals_usage if value is not None}
    return ModelUsage(**fields)


def add_usages(usages: Iterable[ModelUsage]) -> ModelUsage:
    """The sum; None in each field that one of them does not state, or where there are none."""
    known_usages = list(usages)
    fields: dict[str, Any] = {}
    for name in USAGE_FIELDS if known_usages else ():
        values = [getattr(usage, name) for usage in known_usages]
        fields[name] = None if None in values else sum(values)
    return ModelUsage(**fields)
