"""Supervisors' tabs of ``scripts/kill9``: the routes of review, used as the browser uses them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPException
from typing import Any

from scripts.kill9_tabs import REFUSED, Client

TWICE_SHARE = 0.1
"""Share of answered actions that are sent again, as by a browser that lost its connection."""
LEFT_SHARE = 0.05
"""Share of actions that are sent again while the server may still process them."""
_HANDED_IN = ("submitted", "skipped")
_OTHER_ACTIONS = ("waiting", "agreed")
"""Tasks that the queue does not show, since annotators or the rule still handle them."""


@dataclass
class Act:
    """A supervisor's action.

    Attributes:
        saw: last event of the gold stream that the supervisor had seen.
        sends: number of times it was sent.
        last_sent: time of the request that was answered first.
        code: None while it is not answered, "" where it was carried out, else why it was not.
        knew: last event of the gold stream that its answer shows.
    """

    name: str
    task: int
    holder: str
    body: dict[str, Any]
    saw: int
    sends: int = 0
    last_sent: datetime | None = None
    code: str | None = None
    knew: int = 0

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.body["id"])


class Reviewer(Client):
    """A supervisor's tab, going from task to task."""

    def __init__(self, number: int, name: str, port: int, tasks: Sequence[int], seed: int) -> None:
        super().__init__(number, name, port, seed)
        self._tasks = tasks
        self.acts: list[Act] = []

    @property
    def confirmed(self) -> int:
        return sum(act.code is not None for act in self.acts)

    @property
    def decided(self) -> int:
        """Decisions that the server confirmed."""
        return sum(act.name == "decide" and act.code == "" for act in self.acts)

    def run(self) -> None:
        while not self.finish.is_set():
            data = self._look(self._rng.choice(self._tasks))
            for _ in range(self._rng.randint(1, 5)):
                if self.finish.is_set():
                    return
                data = self._do(self._next(data))

    def _look(self, task: int) -> dict[str, Any]:
        """The current task."""
        rows: list[dict[str, Any]] = []

        def load() -> None:
            self._sign_in()
            rows.append(json.loads(self._send("GET", f"/pagetrail/reviews/{task}", None, {})))

        self._until_done(load)
        return rows[-1]

    def _do(self, act: Act) -> dict[str, Any]:
        """Perform an action; returns the task as the supervisor then sees it."""
        self.acts.append(act)
        answers: list[tuple[int, dict[str, Any]]] = []
        if self._rng.random() < LEFT_SHARE:
            self._until_done(partial(self._leave, act))
        self._until_done(partial(self._post, act, answers))
        status, answer = answers[-1]
        act.code = answer["error"]["code"] if status >= 400 else ""
        if status not in (200, REFUSED):
            self.wrong.append(f"{act.name} {act.id} was answered with {status}: {answer}")
        if not act.code and self._rng.random() < TWICE_SHARE:
            self._until_done(partial(self._post, act, answers))
            status = answers[-1][0]
            if status not in (200, REFUSED):
                self.wrong.append(f"{act.name} {act.id} again was answered with {status}")
        screen = self._look(act.task) if status >= 400 else answers[-1][1]
        if screen["task"]["id"] != act.task:
            self.wrong.append(f"{act.id} was answered with task {screen['task']['id']}")
        act.knew = screen["reviewed_version"]["gold_seq"]
        return screen

    def _post(self, act: Act, answers: list[tuple[int, dict[str, Any]]]) -> None:
        """Send it; an answer other than that the server cannot just now is taken."""
        self._out(act)
        status, text = self._answer()
        if status >= 500:
            raise HTTPException(f"{status} {text[:200]!r}")
        answers.append((status, json.loads(text)))

    def _leave(self, act: Act) -> None:
        self._out(act)
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _out(self, act: Act) -> None:
        act.sends += 1
        if act.code is None:
            act.last_sent = datetime.now(UTC)
        path = f"/pagetrail/reviews/{act.task}/{act.name}"
        self._begin("POST", path, json.dumps(act.body), {"Content-Type": "application/json"})

    def _next(self, data: dict[str, Any]) -> Act:
        """The next action on a task in this state."""
        gold, me = data["gold"], data["reviewer"]
        submitted = [
            participant["attempt"]
            for participant in data["participants"]
            if participant["status"] in _HANDED_IN
        ]
        ways = {"comment": 1 if data["participants"] else 0, "return": 1 if submitted else 0}
        if data["status"] in _OTHER_ACTIONS:
            ways = {"comment": 1} if data["participants"] else {"release": 1}
        elif data["holder"] not in (None, me):
            ways["take"] = 4
        elif gold and gold["version"] and not gold["reopened"]:
            ways["take-up"] = 3
            ways["decide"] = 3 if gold["automatic"] else 0
        elif data["holder"] is None:
            ways |= {"take": 6, "decide": 1 if submitted else 0}
        else:
            ways |= {"release": 1, "draft": 3 if submitted else 0, "decide": 5 if submitted else 0}
            ways["take"] = 1
        (name,) = self._rng.choices(list(ways), weights=list(ways.values()))
        body = {"id": self._id(), **self._body(name, data, submitted)}
        return Act(
            name, data["task"]["id"], self.person, body, data["reviewed_version"]["gold_seq"]
        )

    def _body(self, name: str, data: dict[str, Any], submitted: list[str]) -> dict[str, Any]:
        remark = f"{self._session} says {self._count + 1}"
        match name:
            case "take":
                return {"take_over": data["holder"] not in (None, data["reviewer"])}
            case "draft":
                return {
                    "picks": self._picks(data, submitted),
                    "reviewed_version": data["reviewed_version"],
                }
            case "decide":
                gold = data["gold"]
                decided = gold and gold["version"] and not gold["reopened"]
                stored = gold and gold["choices"] and self._rng.random() < 0.4
                picks = None if decided or stored else self._picks(data, submitted)
                return {
                    "picks": picks,
                    "reason": remark,
                    "reviewed_version": data["reviewed_version"],
                }
            case "take-up":
                return {"reason": remark}
            case "return":
                return {"attempt": self._rng.choice(submitted), "comment": remark}
            case "comment":
                attempts = [participant["attempt"] for participant in data["participants"]]
                return {"attempt": self._rng.choice(attempts), "text": remark}
            case _:
                return {}

    def _picks(self, data: dict[str, Any], submitted: list[str]) -> dict[str, Any]:
        picks: dict[str, Any] = {}
        for part in ("answer", "evidence"):
            ways = [way for way in data["merge_methods"].get(part, ()) if way in ("side", "union")]
            # Different answers are a tie, which only a reviewer decides.
            if ways and (part == "answer" or self._rng.random() < 0.6):
                way = self._rng.choice(ways)
                participant = self._rng.choice(submitted) if way == "side" else None
                picks[part] = {"how": way, "side": participant}
        return picks
