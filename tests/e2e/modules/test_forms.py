"""The browser's forms against the server's: the same questions, values and missing sentences."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import is_unset, missing
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.state import Response
from pagetrail.annotation.attempts.work_validation import check_field
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names
from tests.e2e.support.random_work import EVERYTHING, PAGES, states


@pytest.mark.parametrize("name", ["everything", *preset_names()])
def test_the_browser_asks_what_the_server_asks(modules: Page, name: str) -> None:
    """Targets, options, values, implied values, rows and missing sentences agree in any state."""
    protocol = EVERYTHING if name == "everything" else preset(name)
    rng = random.Random(name)
    history = [
        state
        for _ in range(4)
        for step, (_, state) in enumerate(states(rng, protocol, 120))
        if step % 6 == 5
    ]
    found = modules.evaluate(
        """async ([protocol, states, given, outcomes, pages]) => {
            const { Form, TASK, boxTarget, pageTarget } = await
            import("/workspace/state/form_state.js"); const { verdict } = await
            import("/shared/box_state.js"); return states.map((state) => {
              const form = new Form(protocol, state, given);
              const all = {
                task: [TASK],
                page: pages.map(([document, page]) => pageTarget(document, page)),
                box: state.boxes.boxes.map(boxTarget),
              };
              return {
                ended: form.ended,
                boxes: pages.map(([document, page]) => form.mayHaveBoxes(document, page)),
                verdicts: state.boxes.boxes.map(verdict),
                fields: protocol.fields.map((spec) => ({
                  targets: form.targets(spec).map((t) => [t.document, t.page, t.box]),
                  each: all[spec.scope].map((target) => [
                    form.asked(spec, target),
                    form.options(spec, target).map((option) => option.value),
                    form.value(spec, target),
                    form.rows(spec, target).map((row) => row.row),
                    form.isUnset(spec, target),
                  ]),
                })),
                missing: outcomes.map((outcome) => Object.entries(form.missing(outcome))),
              };
            });
        }""",
        [
            protocol.model_dump(mode="json"),
            [state.model_dump(mode="json") for state in history],
            None if protocol.pages == "search" else [{"document": d, "page": p} for d, p in PAGES],
            list(OUTCOMES),
            PAGES,
        ],
    )
    assert found == [_asked(protocol, state) for state in history]


OUTCOMES: tuple[ev.Outcome, ...] = ("answered", "not_found", "unanswerable", "completed")


def _asked(protocol: Protocol, state: Response) -> dict[str, Any]:
    form = Form(protocol, state, None if protocol.pages == "search" else PAGES)
    every = {
        "task": [TASK],
        "page": [Target(*page) for page in PAGES],
        "box": [form.target(box.id) for box in state.boxes.boxes],
    }

    def plain(value: Value) -> Any:
        return list(value) if isinstance(value, tuple) else value

    return {
        "ended": form.ended,
        "boxes": [form.may_have_boxes(*page) for page in PAGES],
        "verdicts": [box.verdict for box in state.boxes.boxes],
        "fields": [
            {
                "targets": [[t.document, t.page, t.box] for t in form.targets(spec)],
                "each": [
                    [
                        form.asked(spec, target),
                        [option.value for option in form.options(spec, target)],
                        plain(form.value(spec, target)),
                        [row.row for row in form.rows(spec, target)],
                        is_unset(form, spec, target),
                    ]
                    for target in every[spec.scope]
                ],
            }
            for spec in protocol.fields
        ],
        "missing": [[list(item) for item in missing(form, o).items()] for o in OUTCOMES],
    }


@pytest.mark.parametrize("name", ["everything", "relevance", "qa_review"])
def test_both_see_the_boxes_in_the_way(modules: Page, name: str) -> None:
    """Where the server refuses a value because of boxes, the browser has offered to delete them."""
    protocol = EVERYTHING if name == "everything" else preset(name)
    rng = random.Random(f"way {name}")
    cases = []
    for _ in range(6):
        for _, state in states(rng, protocol, 100):
            if rng.random() < 0.5:
                cases += _wishes(rng, protocol, state)
    found = modules.evaluate(
        """async ([protocol, cases, given]) => {
            const { Form, TASK, pageTarget } = await import("/workspace/state/form_state.js");
            const { boxesInTheWay } = await import("/workspace/boxes/blocking_boxes.js");
            return cases.map(([state, { field, document, page, value }]) => {
              const form = new Form(protocol, state, given);
              const target = page === null ? TASK : pageTarget(document, page);
              return boxesInTheWay(form, form.field(field), target, value).length > 0;
            });
        }""",
        [
            protocol.model_dump(mode="json"),
            [
                [state.model_dump(mode="json"), wish.model_dump(mode="json")]
                for state, wish, _ in cases
            ],
            [{"document": d, "page": p} for d, p in PAGES],
        ],
    )
    refused = [code == "has_boxes" for *_, code in cases]
    assert found == refused
    assert any(refused) == (name != "qa_review") and not all(refused)


def _wishes(
    rng: random.Random, protocol: Protocol, state: Response
) -> list[tuple[Response, ev.FieldSet, str]]:
    """A value for a field of the task or a page, and the code of the server's refusal or ""."""
    specs = [s for s in protocol.fields if s.scope != "box" and s.kind in ("ordinal", "boolean")]
    specs += [s for s in protocol.fields if s.scope != "box" and s.kind == "choice"]
    spec = rng.choice(specs)
    place = rng.choice(PAGES) if spec.scope == "page" else (None, None)
    values = [True, False] if spec.kind == "boolean" else [o.value for o in spec.options]
    wish = ev.FieldSet(
        field=spec.name, document=place[0], page=place[1], value=rng.choice([None, *values])
    )
    try:
        check_field(Form(protocol, state, PAGES), wish)
    except Refusal as refusal:
        # Refused for another reason: not asked, or the pages were opened.
        return [(state, wish, refusal.code)] if refusal.code == "has_boxes" else []
    return [(state, wish, "")]
