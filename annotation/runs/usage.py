"""What an attempt used: tokens by kind, dollars and waiting time, per turn and in all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.model_usage import NO_USAGE, ModelUsage

USAGE_FIELDS: tuple[str, ...] = tuple(ModelUsage.model_fields)
"""What is counted, in order: kinds of tokens, dollars, milliseconds."""

TOKEN_FIELDS: tuple[str, ...] = tuple(name for name in USAGE_FIELDS if name.endswith("_tokens"))
"""The kinds of tokens, in order."""


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
    if not totals and not turns:
        return NO_USAGE
    totals_usage = add_usages(total.usage for total in totals)
    summed = add_usages(turn.usage or ModelUsage() for turn in turns if turn.calls != 0)
    fields = {name: getattr(summed, name) for name in USAGE_FIELDS}
    fields |= {name: value for name, value in totals_usage if value is not None}
    return ModelUsage(**fields)


def usage_by_model(events: Sequence[ev.Event]) -> tuple[ev.ModelTotal, ...]:
    """What each model of an attempt used, for pricing; without a name where that is unknown.

    The file's totals if they can be priced; else the sum over turns by model, in which turns that
    state dollars are apart from those that do not. A total without a name is of the only model
    that acted.
    """
    first = events[0].payload if events else None
    run = first if isinstance(first, ev.RunImported) else None
    run_model = run.model if run else None
    parts: dict[tuple[str | None, bool], list[ModelUsage]] = {}
    for event in events:
        turn = event.payload
        if isinstance(turn, ev.AgentTurn) and turn.calls != 0:
            usage = turn.usage or ModelUsage()
            key = turn.model or run_model, usage.cost_usd is not None
            parts.setdefault(key, []).append(usage)
    by_turn = tuple(ev.ModelTotal(model=key[0], usage=add_usages(parts[key])) for key in parts)
    models = {model for model, _ in parts} or {run_model}
    only_model = next(iter(models)) if len(models) == 1 else None
    totals = tuple(
        ev.ModelTotal(model=total.model or only_model, usage=total.usage)
        for total in (run.totals if run else ())
    )
    if totals and (all(map(_is_priceable, totals)) or not all(map(_is_priceable, by_turn))):
        return totals
    return by_turn or totals


def _is_priceable(total: ev.ModelTotal) -> bool:
    usage = total.usage
    has_tokens = usage.input_tokens is not None and usage.output_tokens is not None
    return usage.cost_usd is not None or (has_tokens and total.model is not None)


def add_usages(usages: Iterable[ModelUsage]) -> ModelUsage:
    """The sum; None in each field that one of them does not state, or where there are none."""
    known_usages = list(usages)
    fields: dict[str, Any] = {}
    for name in USAGE_FIELDS if known_usages else ():
        values = [getattr(usage, name) for usage in known_usages]
        fields[name] = None if None in values else sum(values)
    return ModelUsage(**fields)
