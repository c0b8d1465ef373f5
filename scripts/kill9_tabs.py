"""Browser tabs of ``scripts/kill9``, which resend their actions until the server has answered."""

from __future__ import annotations

import json
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http.client import HTTPConnection, HTTPException
from threading import Event as Flag
from threading import Thread
from typing import Any
from urllib.parse import urlencode

from tests.e2e.support.small_workspace import PASSWORD, REPORT

REFUSED = 409
AGAIN_SHARE = 0.05
EDIT_SHARE = 0.3
"""Share of the requests that edit a text or a table, in tabs with one."""
_RETRY_S = 0.1
_TIMEOUT_S = 20


class Client(Thread, ABC):
    """A person's tab, which signs in and sends one request after the other."""

    def __init__(self, number: int, name: str, port: int, seed: int) -> None:
        super().__init__(name=f"tab{number}", daemon=True)
        self.person = name
        self._port = port
        self._rng = random.Random(f"{seed}/{number}")
        self._session = f"tab{number}"
        self._count = 0
        self._cookie = ""
        self._connection: HTTPConnection | None = None
        self.finish = Flag()
        self.in_flight = False
        self.broken = 0
        self.wrong: list[str] = []

    @property
    @abstractmethod
    def confirmed(self) -> int:
        """Number of answered requests."""

    def _until_done(self, action: Callable[[], None]) -> None:
        while True:
            try:
                self.in_flight = True
                action()
                return
            except (OSError, HTTPException):
                self.broken += 1
                self._connection = None
                time.sleep(_RETRY_S)  # the browser's back-off
            finally:
                self.in_flight = False

    def _sign_in(self) -> None:
        if not self._cookie:
            form = urlencode({"name": self.person, "password": PASSWORD})
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            self._send("POST", "/pagetrail/login", form, kind)

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> bytes:
        self._begin(method, path, body, headers)
        status, text = self._answer()
        if status >= 400:
            raise HTTPException(f"{status} {text[:200]!r}")
        return text

    def _begin(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> None:
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self._port, timeout=_TIMEOUT_S)
        cookie = {"Cookie": self._cookie} if self._cookie else {}
        self._connection.request(method, path, body, headers | cookie)

    def _answer(self) -> tuple[int, bytes]:
        if self._connection is None:
            raise HTTPException("nothing was asked")
        reply = self._connection.getresponse()
        text = reply.read()
        self._cookie = (reply.getheader("set-cookie") or self._cookie).partition(";")[0]
        return reply.status, text

    def _id(self) -> str:
        self._count += 1
        return f"{self._session}-{self._count}"


class TypedText:
    """The text of a page that one tab alone edits, as that tab has it."""

    def __init__(self, text: str, document: str, page: int) -> None:
        self._text = text
        self._page = {"document": document, "page": page}

    def edit(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        """Type and payload of typing over up to three characters at a random position."""
        at = rng.randint(0, len(self._text))
        removed = self._text[at : at + rng.randint(0, 3)]
        inserted = f"{rng.choice('é🦦x')}{len(self._text)}"
        self._text = self._text[:at] + inserted + self._text[at + len(removed) :]
        edit = {"at": at, "removed": removed, "inserted": inserted}
        return "text_edited", {**self._page, "edits": [edit], "source": "typing"}


class EditedTable:
    """A table that one tab alone corrects and flags, as that tab has it."""

    def __init__(self, table: str, texts: list[list[str]], document: str, page: int) -> None:
        self._texts = texts
        self._table = {"document": document, "page": page, "table": table, "structure": 0}

    def edit(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        """Type and payload of a corrected text, a header mark or a flag of a random cell."""
        row = rng.randrange(len(self._texts))
        column = rng.randrange(len(self._texts[row]))
        kind = rng.choice(["text", "header", "flag"])
        if kind == "flag":
            note = f"é🦦 {rng.randrange(1_000)}"
            flag = {"row": row, "column": column, "kind": "text", "note": note}
            return "cell_flagged", {**self._table, **flag}
        change: dict[str, Any] = {"kind": "header", "cells": [[row, column]], "header": True}
        if kind == "text":
            was = self._texts[row][column]
            text = self._texts[row][column] = f"{rng.randrange(1_000)} {was}"[:40]
            change = {"kind": "text", "row": row, "column": column, "was": was, "text": text}
        return "table_edited", {**self._table, "change": change}


class Tab(Client):
    """An annotator's tab.

    Args:
        attempt_ids: attempts to work on.
        edited: attempts whose text or table this tab alone edits.
        submitted: what supervisors see, and what is resubmitted now and then; in one tab of a
            person only.
    """

    def __init__(
        self,
        number: int,
        name: str,
        port: int,
        attempt_ids: Sequence[str],
        seed: int,
        submitted: Sequence[str] = (),
        edited: Mapping[str, TypedText | EditedTable] | None = None,
    ) -> None:
        super().__init__(number, name, port, seed)
        self._attempts = attempt_ids
        self._edited = edited or {}
        self._submitted = submitted
        self._tokens: dict[str, str] = {}
        self.repeated = 0
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.acknowledged: dict[str, tuple[str, int]] = {}
        self.refused: set[str] = set()

    @property
    def confirmed(self) -> int:
        return len(self.acknowledged)

    def run(self) -> None:
        while not self.finish.is_set():
            attempt = self._rng.choice(self._attempts)
            if self._submitted and self._rng.random() < AGAIN_SHARE:
                attempt = self._rng.choice(self._submitted)
                outbox = self._rework(attempt)
            elif self._edited and self._rng.random() < EDIT_SHARE:
                attempt = self._rng.choice(list(self._edited))
                outbox = [self._edit(attempt) for _ in range(self._rng.randint(1, 5))]
            elif self._rng.random() < 0.15:
                self._until_done(partial(self._post_search, attempt, self._search()))
                continue
            else:
                outbox = [self._event() for _ in range(self._rng.randint(1, 5))]
            self.sent += [(attempt, event) for event in outbox]
            while outbox:
                self._until_done(partial(self._post_events, attempt, outbox))

    def _post_events(self, attempt: str, outbox: list[dict[str, Any]]) -> None:
        reply = self._call(attempt, "events", {"session": self._session, "events": outbox})
        for receipt in reply["receipts"]:
            self._note(attempt, receipt["id"], receipt["seq"])
            self.repeated += receipt["repeated"]
        answered_ids = {receipt["id"] for receipt in reply["receipts"]}
        for refusal in reply["refusals"]:
            # A supervisor may have returned it meanwhile, so that it is already open.
            if attempt not in self._submitted or not refusal["id"].endswith("-reopened"):
                self.wrong.append(f"refused: {refusal}")
            self.refused.add(refusal["id"])
            answered_ids.add(refusal["id"])
        outbox[:] = [event for event in outbox if event["id"] not in answered_ids]

    def _post_search(self, attempt: str, body: dict[str, Any]) -> None:
        reply = self._call(attempt, "search", body)
        if reply["search_id"] != body["id"]:
            self.wrong.append(f"search {body['id']} was answered with {reply['search_id']}")
        self.acknowledged[body["id"]] = (attempt, 0)

    def _note(self, attempt: str, event_id: str, seq: int) -> None:
        first_receipt = self.acknowledged.setdefault(event_id, (attempt, seq))
        if first_receipt != (attempt, seq):
            self.wrong.append(
                f"{event_id} was acknowledged as {first_receipt} and as {(attempt, seq)}"
            )

    def _call(self, attempt: str, route: str, body: dict[str, Any]) -> dict[str, Any]:
        if attempt not in self._tokens:
            self._tokens[attempt] = self._boot(attempt)["token"]
        headers = {"X-Pagetrail": self._tokens[attempt], "Content-Type": "application/json"}
        path = f"/pagetrail/attempts/{attempt}/{route}"
        answer: dict[str, Any] = json.loads(self._send("POST", path, json.dumps(body), headers))
        return answer

    def _boot(self, attempt: str) -> dict[str, Any]:
        self._sign_in()
        path = f"/pagetrail/attempts/{attempt}"
        booted: dict[str, Any] = json.loads(self._send("GET", path, None, {}))
        return booted

    def _search(self) -> dict[str, Any]:
        return {"id": self._id(), "query": self._rng.choice(["otters", "ledger", "river*"])}

    def _event(self) -> dict[str, Any]:
        page = self._rng.randint(1, 30)
        kind, payload = self._rng.choice(
            [
                ("page_viewed", {"document": REPORT, "page": page, "via": "jump"}),
                ("view_changed", {"fit": "none", "zoom": 100 + page, "rotation": 90}),
                ("answer_edited", {"text": f"{self._session} wrote {self._count}"}),
                ("note_edited", {"text": "é🦦" * page}),
                ("flagged", {"comment": f"look at page {page}"}),
            ]
        )
        return {"id": self._id(), "type": kind, "payload": payload, "age_ms": 0}

    def _edit(self, attempt: str) -> dict[str, Any]:
        kind, payload = self._edited[attempt].edit(self._rng)
        return {"id": self._id(), "type": kind, "payload": payload, "age_ms": 0}

    def _rework(self, attempt: str) -> list[dict[str, Any]]:
        """Reopen a task if it is submitted, and submit it.

        Open work, such as returned work, is answered as others answer it.
        """
        states: list[str] = []
        self._until_done(lambda: states.append(self._boot(attempt)["state"]["status"]))
        still_open = states[-1] == "open"
        answer = "42" if still_open else self._rng.choice(["42", "42", f"{self._count} otters"])
        steps: list[tuple[str, dict[str, Any]]] = [
            ("answer_edited", {"text": answer}),
            ("submitted", {"outcome": "answered"}),
        ]
        if not still_open:
            steps.insert(0, ("reopened", {}))
        return [
            {"id": f"{self._id()}-{kind}", "type": kind, "payload": payload, "age_ms": 0}
            for kind, payload in steps
        ]
