"""Headline numbers of a search campaign from its raw events, with pandas and nothing of Pagetrail.

Reads ``events.jsonl`` of the export ``trajectories`` and ``gold.jsonl`` of the export ``gold``. Of
the export ``scores`` it takes who is a person, and whether an answer is correct where it is not an
exact match. Run it on a folder with the three exports:

    python -m tests.exports.independent_numbers FOLDER
"""

from __future__ import annotations

import json
import math
import sys
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pandas as pd

IDLE_CAP_MS = 60_000
STAGES = ("no_answer", "retrieval", "navigation", "comprehension", "correct")
_AWAY_EVENTS, _NEUTRAL_EVENTS = ("tab_hidden", "returned"), (
    "reconnected", "commented", "batch_closed", "gold_disputed", "time_corrected"
)  # fmt: skip


def attempts(folder: Path) -> pd.DataFrame:
    """One row per submitted attempt at a task with an answer, worked out from its events."""
    events = pd.read_json(folder / "trajectories" / "events.jsonl", lines=True)
    gold = {
        row["id"]: row
        for row in map(json.loads, (folder / "gold" / "gold.jsonl").open(encoding="utf-8"))
    }
    rows = []
    for attempt, log in events.sort_values("seq").groupby("attempt_id"):
        attempt_events = log.to_dict("records")
        kinds = [event["type"] for event in attempt_events]
        if "submitted" not in kinds:
            continue
        if {"reopened", "returned"} & set(kinds):  # what counts is the first submission
            attempt_events = attempt_events[: kinds.index("submitted") + 1]
        task = gold[attempt_events[0]["task_id"]]
        if not task.get("unanswerable"):
            rows.append({"attempt": attempt, **_row(attempt_events, task)})
    frame = pd.DataFrame(rows)
    scores = pd.read_parquet(folder / "scores" / "scores.parquet")
    frame = frame.merge(scores[["attempt", "person", "correct"]], on="attempt", validate="1:1")
    frame["correct"] = frame["exact"] | frame["correct"].eq(True)
    frame["participant"] = frame["annotator"].where(~frame["person"], "Humans")
    frame["stage"] = [_stage(row) for row in frame.itertuples()]
    return frame


def _row(events: list[dict[str, Any]], task: dict[str, Any]) -> dict[str, Any]:
    answer, outcome = "", None
    cited: dict[tuple[str, int], None] = {}
    searches = 0
    for event in events:
        payload = event["payload"]
        match event["type"]:
            case "answer_edited":
                answer = payload["text"]
            case "citation_added":
                cited[payload["document"], payload["page"]] = None
            case "citation_removed":
                cited.pop((payload["document"], payload["page"]), None)
            case "searched":
                searches += payload.get("looks_back_at") is None
            case "submitted":
                outcome = payload["outcome"]
    items = [line.strip() for line in answer.splitlines() if line.strip()]
    items = items if outcome == "answered" else []
    variants = task["answer_variants"]
    pages = {(ref["document"], ref["page"]) for ref in task["evidence"]}
    return {
        "task": task["id"],
        "annotator": events[0]["annotator"],
        "outcome": outcome,
        "answered": bool(items),
        "exact": any(_answers_match(items, variant) for variant in variants),
        "anls": max(_anls(items, variant) for variant in variants),
        "page_f1": _f1(set(cited), pages),
        "doc_f1": _f1({name for name, _ in cited}, {name for name, _ in pages}),
        "searches": searches,
        "active_s": _active_ms(events) / 1000,
    }


def _answers_match(answer: list[str], variant: list[str]) -> bool:
    return sorted(map(str.casefold, answer)) == sorted(map(str.casefold, variant))


def _anls(answer: list[str], variant: list[str]) -> float:
    """ANLS* of short lists: the best of all ways to match them one to one."""
    left, right = sorted((answer, variant), key=len)
    if not left:
        return 0.0
    sums = (
        sum(map(_similarity, left, permutation)) for permutation in permutations(right, len(left))
    )
    return max(sums) / len(right)


def _similarity(left: str, right: str) -> float:
    a, b = left.casefold(), right.casefold()
    costs = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        corner, costs[0] = costs[0], i
        for j, y in enumerate(b, start=1):
            corner, costs[j] = (
                costs[j],
                min(costs[j] + 1, costs[j - 1] + 1, corner + (x != y)),
            )
    similarity = 1 - costs[-1] / max(len(a), len(b))
    return similarity if similarity >= 0.5 else 0.0


def _f1(cited: set[Any], gold: set[Any]) -> float:
    return 2 * len(cited & gold) / (len(cited) + len(gold))


def _active_ms(events: list[dict[str, Any]]) -> int:
    """Gaps in which somebody was at work, each no longer than the idle cap."""
    total = 0
    paused = hidden = finished = False
    for event, following in pairwise(events):
        kind = event["type"]
        if kind not in _NEUTRAL_EVENTS:
            hidden = kind in _AWAY_EVENTS
        paused = kind == "paused" or (paused and kind != "resumed")
        if kind in ("submitted", "skipped", "reopened", "returned"):
            finished = kind in ("submitted", "skipped")
        if not (paused or hidden or finished):
            total += min(following["elapsed_ms"] - event["elapsed_ms"], IDLE_CAP_MS)
    return total


def _stage(row: Any) -> str:
    if row.correct:
        return "correct"
    if not row.answered:
        return "no_answer"
    if row.doc_f1 == 0:
        return "retrieval"
    return "navigation" if row.page_f1 == 0 else "comprehension"


def of_participant(rows: pd.DataFrame) -> dict[str, Any]:
    """The numbers of one participant; attempts at a task share a weight of 1."""
    weight = 1 / rows.groupby("task")["attempt"].transform("size")
    tasks = weight.sum()

    def mean(values: pd.Series) -> float:
        return float((weight * values).sum() / tasks)

    return {
        "tasks": rows["task"].nunique(),
        "attempts": len(rows),
        "accuracy": float(rows.groupby("task")["correct"].mean().mean()),
        "anls": mean(rows["anls"]),
        "page_f1": mean(rows["page_f1"]),
        "doc_f1": mean(rows["doc_f1"]),
        "searches": mean(rows["searches"]),
        "active_s": _median(rows["active_s"], weight),
        "kuiper": _kuiper(rows, weight),
        "cascade": {stage: mean(rows["stage"] == stage) for stage in STAGES},
    }


def _median(values: pd.Series, weight: pd.Series) -> float:
    order = values.sort_values().index
    reached = weight[order].cumsum() / weight.sum()
    upper = values[order][reached > 0.5 + 1e-9].iloc[0]
    at_half = values[order][(reached - 0.5).abs() < 1e-9]
    return float((at_half.iloc[0] + upper) / 2 if len(at_half) else upper)


def _kuiper(rows: pd.DataFrame, weight: pd.Series) -> float:
    surplus = weight * (rows["correct"] - (weight * rows["correct"]).sum() / weight.sum())
    ends = surplus.groupby(rows["searches"]).sum().sort_index().cumsum()
    return float(max(0.0, ends.max()) - min(0.0, ends.min()))


def kappa(people: pd.DataFrame, system: pd.DataFrame) -> float:
    """Cohen's kappa of correctness, over all pairs of attempts at each shared task."""
    pairs = people.merge(system, on="task", suffixes=("_a", "_b"))
    weight = 1 / pairs.groupby("task")["task"].transform("size")
    weight = weight / weight.sum()
    observed = float((weight * (pairs["correct_a"] == pairs["correct_b"])).sum())
    a, b = (float((weight * pairs[name]).sum()) for name in ("correct_a", "correct_b"))
    expected = a * b + (1 - a) * (1 - b)
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan


def percent_agreement(folder: Path) -> float:
    """Of the tasks that several people submitted, the share of pairs with the same outcome."""
    events = pd.read_json(folder / "trajectories" / "events.jsonl", lines=True)
    first = events[events["type"] == "submitted"].sort_values("seq").groupby("attempt_id").first()
    scores = pd.read_parquet(folder / "scores" / "scores.parquet")
    first = first[first.index.isin(scores["attempt"][scores["person"]])]
    first = first.assign(outcome=[payload["outcome"] for payload in first["payload"]])
    pairs = first.merge(first, on="task_id")
    pairs = pairs[pairs["client_event_id_x"] != pairs["client_event_id_y"]]
    outcomes_match = (pairs["outcome_x"] == pairs["outcome_y"]).groupby(pairs["task_id"]).mean()
    return float(outcomes_match.mean())


def headline_numbers(folder: Path) -> dict[str, Any]:
    """All numbers: by participant, kappa of people with each system, percent agreement."""
    by_participant = dict(list(attempts(folder).groupby("participant")))
    people = by_participant["Humans"]
    return {
        "participants": {name: of_participant(rows) for name, rows in by_participant.items()},
        "kappa": {
            name: kappa(people, rows) for name, rows in by_participant.items() if name != "Humans"
        },
        "percent_agreement": percent_agreement(folder),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(headline_numbers(Path(sys.argv[1])), indent=2) + "\n")
