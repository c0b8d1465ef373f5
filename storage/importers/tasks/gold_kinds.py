"""How many gold answers of imported tasks the rule of correctness can compare with others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pagetrail.annotation.answers.gold_kind import Kind, gold_kind
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.importers.files.rows import ParsedTask


@dataclass(frozen=True)
class GoldKinds:
    """Number of tasks with a gold answer, by its kind; 0 where the protocol asks for no answer."""

    comparable: int = 0
    prose: int = 0


def kinds_by_line(rows: Iterable[ParsedTask], protocol: Protocol) -> dict[int, Kind]:
    """The kind of gold of each row with a gold answer, if the protocol asks for answers."""
    if protocol.answer.kind == "off":
        return {}
    return {
        raw.line: found.kind
        for raw, task in rows
        if not task.unanswerable
        and (found := gold_kind(task.answer_variants or (), task.question, task.language))
    }


def count_gold_kinds(
    rows: Iterable[ParsedTask], kinds: Mapping[int, Kind], *, is_pilot: bool
) -> tuple[GoldKinds, list[str]]:
    """The counts, and what to do where gold is prose."""
    by_kind: dict[Kind, list[str]] = {"comparable": [], "prose": []}
    for raw, task in rows:
        if raw.line in kinds:
            by_kind[kinds[raw.line]].append(task.id)
    prose = by_kind["prose"]
    counts = GoldKinds(len(by_kind["comparable"]), len(prose))
    if not prose:
        return counts, []
    seen = gettext(
        "Gold answers that a rule can compare: {comparable:,}. In prose: {prose:,}, such as that "
        "of {task}. No rule can tell whether a right answer in other words says the same as prose: "
        "such answers stay undecided.",
        comparable=counts.comparable,
        prose=counts.prose,
        task=prose[0],
    )
    advice = (
        gettext(
            "Whoever passes or fails by them waits until you have judged them under Pilots. Short "
            "accepted answers can be added as variants."
        )
        if is_pilot
        else gettext(
            "Have people judge all of them (export trajectory-tasks, --undecided), or a sample "
            "(Campaigns → Sample, or pagetrail sample)."
        )
    )
    return counts, [f"{seen} {advice}"]
