"""Work in the demo: people who search, read, cite and answer through the app's own actions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pagetrail.annotation.clock import ManualClock, iso
from pagetrail.annotation.events import EVENT_TYPES, VerdictEvent
from pagetrail.app.demo.campaigns.layout import lines_with
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.app.workspace.search import ShownSearch, run_search
from pagetrail.storage.people.accounts import Person

EVIDENCE_LABEL = "Evidence"
"""The only label of boxes in the demo's large campaign."""

_WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}")
_QUESTION_WORDS = frozenset(
    {"what", "which", "when", "where", "does", "have", "many", "much", "from", "that", "this"}
    | {"with", "were", "between", "according", "more", "than", "into", "their", "there", "about"}
    | {"year", "years", "report", "document", "percent", "total", "number", "name"}
)


@dataclass
class SimulatedTab:
    """One person's browser tab on one attempt.

    Attributes:
        clock: the services' clock; each action advances it by a human pause.
        name: of the tab, which begins the ids of its events; another tab on the same attempt needs
            another.
        in_vain: queries that did not find what was wanted, and are not repeated.
        rng: draws pauses and slips; the same seed gives the same work.
    """

    services: Services
    person: Person
    attempt_id: str
    clock: ManualClock
    rng: Random
    name: str = "demo"
    in_vain: set[str] = field(default_factory=set, init=False)
    _sent: int = field(default=0, init=False)

    def do(self, type_: str, *, after_s: tuple[float, float] = (1, 4), **payload: Any) -> None:
        """Record one event after a pause of some seconds."""
        pause_s = self.rng.uniform(*after_s)
        self.clock.advance(seconds=pause_s)
        if issubclass(EVENT_TYPES[type_], VerdictEvent):
            payload["seen_ms"] = round(pause_s * 1000)
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

    def search(self, query: str) -> ShownSearch:
        """Run a query after typing it; returns the reply that the screen would show."""
        self.clock.advance(seconds=self.rng.uniform(3, 9))
        request = {"id": self._next_id(), "query": query, "client_ts": iso(self.clock.now())}
        reply, _ = run_search(self.services, self.person, self.attempt_id, request)
        return reply

    def _next_id(self) -> str:
        self._sent += 1
        return f"{self.name}-{self._sent}"


def work_through(
    tab: SimulatedTab,
    record: dict[str, Any],
    *,
    accuracy: float,
    searching: bool = True,
    submit: bool = True,
    pausing: bool = False,
    boxing: bool = False,
) -> None:
    """Do a task as a person would: search, refine, turn pages, cite, answer.

    Args:
        record: the task with its gold, which a careful person finds.
        accuracy: 0–1, the probability of citing and answering correctly.
        searching: False where the evidence is given and there is no search.
        submit: False leaves the task open, half done.
        pausing: stop the clock for some minutes before answering.
        boxing: draw a box around the lines with the answer on each page that is evidence.
    """
    tab.do("opened", after_s=(0, 1), session="demo")
    gold = [(page["document"], page["page"]) for page in record.get("evidence") or []]
    right = tab.rng.random() < accuracy
    if not gold:
        _give_up(tab, record["question"], right=right)
        return
    cited: list[tuple[str, int]] = []
    for document, page in gold:
        hit = None
        if searching:
            hit = _look_for(tab, record["question"], document, page)
            _read_page(tab, document, page, hit)
        else:
            tab.do("page_viewed", after_s=(2, 8), document=document, page=page, via="given")
        target = page if right or not searching else max(1, page - 1)
        if (document, target) not in cited:
            tab.do(
                "citation_added",
                after_s=(6, 45),
                document=document,
                page=target,
                search_id=hit["search_id"] if hit and target == page else None,
                rank=hit["rank"] if hit and target == page else None,
            )
            cited.append((document, target))
            if boxing and target == page:
                draw_evidence(tab, record, document, page)
    if pausing:
        tab.do("paused", after_s=(2, 6))
        tab.do("resumed", after_s=(90, 400))
    if not submit:
        return
    answers = record["answer_variants"][0]
    tab.do("answer_edited", after_s=(8, 40), text="\n".join(answers if right else _slip(answers)))
    tab.do("submitted", after_s=(2, 9), outcome="answered")


def draw_evidence(tab: SimulatedTab, record: dict[str, Any], document: str, page: int) -> None:
    """Draw a box around the lines of a page that hold the answer, a little off."""
    info = tab.services.corpus.document(document)
    assert info is not None
    words = tab.services.images.words(info.sha256, page)
    rect = lines_with(words, " ".join(record["answer_variants"][0]).split())
    if rect is None:
        return
    size = info.pages[page - 1]
    # Its own draws, so that the rest of the work is the same with and without boxes.
    rng_of_work, tab.rng = tab.rng, Random(f"{tab.person.name} {document} {page}")
    shifts = [tab.rng.uniform(2, 12) for _ in rect]
    box = [
        max(0.0, rect[0] - shifts[0]),
        max(0.0, rect[1] - shifts[1]),
        min(size.width, rect[2] + shifts[2]),
        min(size.height, rect[3] + shifts[3]),
    ]
    tab.do(
        "box_drawn",
        after_s=(4, 12),
        box=f"demo-{document}-{page}",
        rect=[round(value, 2) for value in box],
        label=EVIDENCE_LABEL,
        document=document,
        page=page,
    )
    tab.rng = rng_of_work


def _give_up(tab: SimulatedTab, question: str, *, right: bool) -> None:
    """Search without success and submit “unanswerable” or “not found”."""
    _look_for(tab, question, None, None)
    tab.do("note_edited", after_s=(15, 60), text="Looked in the contents and two sections.")
    tab.do("submitted", after_s=(2, 9), outcome="unanswerable" if right else "not_found")


def _slip(answers: list[str]) -> list[str]:
    """A typical wrong answer: an item forgotten, a number from another row, half a name."""
    if len(answers) > 1:
        return answers[:-1]
    text = answers[0]
    if not any(sign.isalpha() for sign in text):
        return ["".join(str((int(c) + 3) % 10) if c.isdigit() else c for c in text)]
    for index, sign in reversed(list(enumerate(text))):
        if sign.isdigit():
            return [f"{text[:index]}{(int(sign) + 3) % 10}{text[index + 1 :]}"]
    words = text.split()
    return [words[-1] if len(words) > 1 else f"{text}?"]


def _look_for(
    tab: SimulatedTab, question: str, document: str | None, page: int | None
) -> dict[str, Any] | None:
    """Search with more and then fewer words until the page is among the results."""
    words = _keywords(question)
    if document is not None and page is not None:
        text = tab.services.corpus.page_text(document, page).lower()
        on_page = [word for word in words if word.lower() in text]
    else:
        on_page = words
    queries = [" ".join(words[:5]), " ".join(on_page[:3]), " ".join(on_page[:2])]
    if document is not None:
        queries.append(" ".join(_keywords(document.removesuffix(".pdf").replace("-", " "))[:2]))
    fresh = [query for query in queries if query and query not in tab.in_vain]
    for query in dict.fromkeys(fresh):
        reply = tab.search(query)
        for hit in reply["results"]:
            if (hit["document"], hit["page"]) == (document, page):
                return {"search_id": reply["search_id"], "rank": hit["rank"]}
        tab.in_vain.add(query)
    return None


def _read_page(tab: SimulatedTab, document: str, page: int, hit: dict[str, Any] | None) -> None:
    if hit is None:
        # Not among the results: through the document, as people do.
        start = max(1, page - tab.rng.randint(1, 2))
        tab.do("page_viewed", document=document, page=start, via="document")
        for number in range(start + 1, page + 1):
            tab.do("page_viewed", after_s=(2, 8), document=document, page=number, via="next")
        return
    tab.do("page_viewed", document=document, page=page, via="result", **hit)
    info = tab.services.corpus.document(document)
    if info is not None and page < info.n_pages and tab.rng.random() < 0.4:
        tab.do("page_viewed", after_s=(4, 15), document=document, page=page + 1, via="next")
        tab.do("page_viewed", after_s=(2, 6), document=document, page=page, via="previous")


def _keywords(text: str) -> list[str]:
    """The words of a text that a person would search for, in order, once each."""
    words: Iterable[str] = Counter(_WORD.findall(text))
    return [word for word in words if word.lower() not in _QUESTION_WORDS]
