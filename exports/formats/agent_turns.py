"""Groups the events of an attempt into the turns of its agent, for exports of runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.usage import add_usages

_EMPTY_TURN = ev.AgentTurn()


@dataclass
class TurnEvents:
    """A turn: usage of the model, and what was written and called.

    Attributes:
        turn_event: the ``AgentTurn`` that it starts with; None where the log has no turns, as for
            people, whose events are a turn each.
    """

    turn_event: ev.Event | None
    steps: list[ev.Event] = field(default_factory=list)

    @property
    def details(self) -> ev.AgentTurn:
        """Usage and reasoning of the model."""
        payload = None if self.turn_event is None else self.turn_event.payload
        return payload if isinstance(payload, ev.AgentTurn) else _EMPTY_TURN

    @property
    def start(self) -> ev.Event:
        """The first event, whose time is that of the turn."""
        return self.steps[0] if self.turn_event is None else self.turn_event


def group_turns(events: Iterable[ev.Event]) -> list[TurnEvents]:
    """The turns in their order.

    Args:
        events: steps, and the events that begin turns; others count as steps.
    """
    turns: list[TurnEvents] = []
    for event in events:
        if isinstance(event.payload, ev.AgentTurn):
            turns.append(TurnEvents(event))
        elif turns and turns[-1].turn_event is not None:
            turns[-1].steps.append(event)
        else:
            turns.append(TurnEvents(None, [event]))
    return turns


def turn_text(steps: Iterable[ev.Event]) -> str:
    """What the agent wrote in these steps."""
    texts = (e.payload.text for e in steps if isinstance(e.payload, ev.AgentStep))
    return "\n".join(text for text in texts if text)


def usage_by_model(run: ev.RunImported, turns: Iterable[ev.AgentTurn]) -> dict[str, ev.ModelUsage]:
    """Model → the usage of an attempt: as its file sums it up, else summed over its turns."""
    if run.totals:
        return {total.model or run.model or "": total.usage for total in run.totals}
    by_model: dict[str, list[ev.ModelUsage]] = {}
    for turn in turns:
        if turn.calls != 0:
            by_model.setdefault(turn.model or run.model or "", []).append(
                turn.usage or ev.ModelUsage()
            )
    summed = {model: add_usages(usages) for model, usages in by_model.items()}
    return {model: usage for model, usage in summed.items() if not usage.is_empty}
