"""What models of an attempt used, by model."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.runs.usage import run_usage, usage_by_model

USED = {"input_tokens": 10, "output_tokens": 1}
MORE = {"input_tokens": 50, "output_tokens": 5}


def turn(model: str | None = None, calls: int | None = None, **usage: Any) -> ev.AgentTurn:
    """A turn of a model."""
    return ev.AgentTurn(model=model, calls=calls, usage=ModelUsage(**usage) if usage else None)


def by_model(
    turns: list[ev.AgentTurn], totals: dict[str | None, dict[str, Any]] | None = None
) -> list[tuple[str | None, dict[str, Any]]]:
    """The usage of a run of the model m with these turns and totals."""
    run = ev.RunImported(
        format="madqa",
        file="run.jsonl",
        sha256="0" * 64,
        record=1,
        timed=False,
        results_known=False,
        model="m",
        totals=tuple(
            ev.ModelTotal(model=model, usage=ModelUsage(**usage))
            for model, usage in (totals or {}).items()
        ),
    )
    events = [
        ev.Event(
            attempt_id="a",
            seq=number,
            server_ts="2026-01-01T00:00:00.000000Z",
            client_ts=None,
            elapsed_ms=0,
            actor="m",
            client_event_id=f"e{number}",
            payload=payload,
        )
        for number, payload in enumerate([run, *turns], start=1)
    ]
    return [(total.model, total.usage.model_dump()) for total in usage_by_model(events)]


def test_turns_are_summed_by_model() -> None:
    """A turn without a name is the run's model; one in which no model acted uses nothing."""
    turns = [turn(**USED), turn("n", **USED), turn(**USED), turn(calls=0)]
    assert by_model(turns) == [
        ("m", {"input_tokens": 20, "output_tokens": 2}),
        ("n", {"input_tokens": 10, "output_tokens": 1}),
    ]


def test_sums_exceed_the_bounds_of_one_turn() -> None:
    """A run of many or odd turns fails no report of its campaign."""
    most = {"input_tokens": 10**15, "output_tokens": 10**15, "latency_ms": 10**12}
    usage = run_usage((), [turn("m", **most), turn("m", **most)])
    assert usage.model_dump() == {name: 2 * value for name, value in most.items()}
    assert usage.all_tokens == 4 * 10**15
    assert ModelUsage.model_validate_json(usage.model_dump_json()) == usage
    assert by_model([turn("m", **most)] * 2) == [("m", usage.model_dump())]


def test_a_turn_without_usage_leaves_its_model_unknown() -> None:
    """A sum without it would be too small."""
    assert by_model([turn(**USED), turn()]) == [("m", {})]


def test_turns_with_dollars_are_apart() -> None:
    """They are not priced again."""
    turns = [turn(**USED), turn(**USED, cost_usd=0.5)]
    assert by_model(turns) == [("m", USED), ("m", {**USED, "cost_usd": 0.5})]


@pytest.mark.parametrize(
    ("turns", "totals", "expected"),
    [
        ([turn(**USED)], {None: MORE}, [("m", 50)]),
        ([turn("n", **USED)], {None: MORE}, [("n", 50)]),
        ([turn("n")], {None: MORE}, [("n", 50)]),
        ([turn("n", **USED), turn(**USED)], {None: MORE}, [("n", 10), ("m", 10)]),
        ([turn("n"), turn(**USED)], {None: MORE}, [(None, 50)]),
        ([turn(**USED)], {"x": {"total_tokens": 50}}, [("m", 10)]),
        ([], {"x": MORE}, [("x", 50)]),
        ([], {None: MORE}, [("m", 50)]),
    ],
)
def test_totals_count_if_they_can_be_priced(
    turns: list[ev.AgentTurn],
    totals: dict[str | None, dict[str, Any]],
    expected: list[tuple[str | None, int]],
) -> None:
    """Not if several models acted and the total does not say which, or if a kind is missing."""
    usages = by_model(turns, totals)
    assert [(model, usage["input_tokens"]) for model, usage in usages] == expected
