"""Work in the demo: people who search, read, cite and answer through the app's own actions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from annotation.clock import ManualClock, iso
from app.actions import record_events
from app.search_action import run_search
from app.wiring import Services
from storage.people import Person

_WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}")
_QUESTION_WORDS = frozenset(
    {"what", "which", "when", "where", "does", "have", "many", "much", "from", "that", "this"}
    | {"with", "were", "between", "according", "more", "than", "into", "their", "there", "about"}
    | {"year", "years", "report", "document", "percent", "total", "number", "name"}
)


@dataclass
class Desk:
    """One person's browser tab on one attempt.

    Attributes:
        clock: the services' clock; each action moves it on by a human pause.
        rng: decides pauses and slips, so that the same seed gives the same past.
    """

    services: Services
    person: Person
    attempt_id: str
    clock: ManualClock
    rng: Random
    _sent: int = field(default=0, init=False)

    def do(self, type_: str, *, after_s: tuple[float, float] = (1, 4), **payload: Any) -> None:
        """Record one event after a pause of some seconds."""
        self.clock.advance(seconds=self.rng.uniform(*after_s))
        event = {
            "id": self._next_id(),
            "type": type_,
            "payload": payload,
            "client_ts": iso(self.clock.now()),
        }
        body = {"session": "demo", "events": [event]}
        reply = record_events(self.services, self.person, self.attempt_id, body)
        for refusal in reply["refusals"]:
            raise RuntimeError(f"the demo's {type_} was refused: {refusal['message']}")

    def search(self, query: str) -> dict[str, Any]:
        """Run a query after typing it; returns the reply that the screen would show."""
        self.clock.advance(seconds=self.rng.uniform(3, 9))
        request = {"id": self._next_id(), "query": query, "client_ts": iso(self.clock.now())}
        reply, _ = run_search(self.services, self.person, self.attempt_id, request)
        return reply

    def _next_id(self) -> str:
        self._sent += 1
        return f"demo-{self._sent}"


def work_through(desk: Desk, record: dict[str, Any], *, care: float, submit: bool = True) -> None:
    """Do a task as a person would: search, refine, turn pages, cite, answer.

    Args:
        record: the task with its gold, which a careful person finds.
        care: 0–1, the chance to cite and answer rightly.
        submit: False leaves the task open, half done.
    """
    desk.do("opened", after_s=(0, 1), session="demo")
    gold = [(place["document"], place["page"]) for place in record.get("evidence") or []]
    right = desk.rng.random() < care
    cited: list[tuple[str, int]] = []
    for document, page in gold:
        hit = _look_for(desk, record["question"], document, page)
        _read(desk, document, page, hit)
        target = page if right else max(1, page - 1)
        if (document, target) not in cited:
            desk.do(
                "citation_added",
                after_s=(2, 9),
                document=document,
                page=target,
                search_id=hit["search_id"] if hit and target == page else None,
                rank=hit["rank"] if hit and target == page else None,
            )
            cited.append((document, target))
    if not gold:
        _look_for(desk, record["question"], None, None)
    answers = (record.get("answer_variants") or [[]])[0]
    if not submit:
        return
    if not gold or not answers:
        desk.do("note_edited", after_s=(4, 12), text="Looked in the contents and two sections.")
        desk.do("submitted", outcome="not_found")
        return
    text = "\n".join(answers) if right else answers[0][: max(2, len(answers[0]) // 2)]
    desk.do("answer_edited", after_s=(5, 20), text=text)
    desk.do("submitted", after_s=(2, 6), outcome="answered")


def _look_for(
    desk: Desk, question: str, document: str | None, page: int | None
) -> dict[str, Any] | None:
    """Search with more and then fewer words until the page is among the results."""
    words = _keywords(question)
    if document is not None and page is not None:
        text = desk.services.corpus.page_text(document, page).lower()
        on_page = [word for word in words if word.lower() in text]
    else:
        on_page = words
    queries = [" ".join(words[:5]), " ".join(on_page[:3]), " ".join(on_page[:2])]
    if document is not None:
        queries.append(" ".join(_keywords(document.removesuffix(".pdf").replace("-", " "))[:2]))
    for query in dict.fromkeys(filter(None, queries)):
        reply = desk.search(query)
        for hit in reply["results"]:
            if (hit["document"], hit["page"]) == (document, page):
                return {"search_id": reply["search_id"], "rank": hit["rank"]}
    return None


def _read(desk: Desk, document: str, page: int, hit: dict[str, Any] | None) -> None:
    if hit is None:
        # Not among the results: through the document, as people do.
        start = max(1, page - desk.rng.randint(1, 2))
        desk.do("page_viewed", document=document, page=start, via="document")
        for number in range(start + 1, page + 1):
            desk.do("page_viewed", after_s=(2, 8), document=document, page=number, via="next")
        return
    desk.do("page_viewed", document=document, page=page, via="result", **hit)
    info = desk.services.corpus.document(document)
    if info is not None and page < info.n_pages and desk.rng.random() < 0.4:
        desk.do("page_viewed", after_s=(4, 15), document=document, page=page + 1, via="next")
        desk.do("page_viewed", after_s=(2, 6), document=document, page=page, via="previous")


def _keywords(text: str) -> list[str]:
    """The words of a text that a person would search for, in order, once each."""
    counted: Iterable[str] = Counter(_WORD.findall(text))
    return [word for word in counted if word.lower() not in _QUESTION_WORDS]
