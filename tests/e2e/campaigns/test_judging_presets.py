"""The presets that judge rows, pairs and predictions, that write, and the pilot: to their exports.

As ``test_presets``: what nora does in the browser, her stored events, and the exported files agree.
"""

from __future__ import annotations

import re

from playwright.sync_api import expect

from pagetrail.annotation.tasks.task import read_task
from pagetrail.app.demo.agent_runs import agent_plans
from pagetrail.app.demo.campaigns import build
from pagetrail.app.demo.campaigns.pilot import PILOT, PRODUCTION
from pagetrail.app.demo.campaigns.reviews import PAGE_PICKER
from pagetrail.app.demo.corpus import BUDGET, WATER, load_demo
from tests.e2e.support.journeys import (
    NORA,
    OSKAR,
    Site,
    Traffic,
    choose,
    cite,
    film,
    find,
    load,
    rows,
    values_set,
)
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.screen import Screen, of_type, press, wait_until
from tests.exports.trajectory_files import read_trajectories

SYSTEMS = (*agent_plans(), PAGE_PICKER)


def test_verify_chart(site: Site) -> None:
    """A misread point corrected, an invented one deleted, a missing one added: the chart's data."""
    screen = site.open(build.CHARTS, "chart-bursts")
    screen.wait_until_painted(WATER, 4)

    def cell(row: int, column: str) -> str:
        return f"[data-testid=row]:nth-child({row}) [data-testid=cell][data-column={column}]"

    page = screen.page
    for row, verdict in {1: "right", 2: "corrected", 3: "right", 5: "right"}.items():
        click_verdict(page.locator(f"{cell(row, 'verdict')} [data-value={verdict}]"))
    page.locator(cell(2, "value")).fill("1790")
    click_verdict(screen.part("row").nth(3).get_by_test_id("row-delete"))
    screen.part("row-add").click()
    for column, text in {"labels": "2023; repairs", "value": "1715", "tolerance": "0.5"}.items():
        page.locator(cell(6, column)).fill(text)
    click_verdict(page.locator(f"{cell(6, 'verdict')} [data-value=corrected]"))
    choose(screen, readable="yes")
    events, state = site.submit(screen)

    (seeded,) = of_type(events, "rows_seeded")
    assert [row["value"] for row in (r["values"] for r in seeded.fields()["rows"])][1] == "1969.0"
    assert [(row.deleted, row.model is None) for row in state.rows] == [
        (False, False), (False, False), (False, False), (True, False), (False, False), (False, True)
    ]  # fmt: skip
    folder = site.export(build.CHARTS, "parsebench")
    rules = load(folder / f"{WATER[:-4]}.test.json")["test_rules"]
    points = {r["labels"][0]: r["value"] for r in rules if r["labels"][1:] == ["repairs"]}
    bursts = next(chart.points for chart in load_demo().charts if chart.anchor == "bursts")
    assert points == {year: str(count) for year, count in bursts.items()}
    table = site.export(build.CHARTS, "labels") / "rows.jsonl"
    nora_rows = rows(table, annotator=NORA, task="chart-bursts")
    assert [r["verdict"] for r in nora_rows] == ["changed"] * 3 + ["deleted", "changed", "added"]
    assert nora_rows[1]["model"]["value"] == "1969.0"


def test_verify_transcript(site: Site) -> None:
    """Three patches approved, one rejected with a comment: only the approved become rules."""
    screen = site.open(build.PATCHES, "patches-accounts")
    screen.wait_until_painted(WATER, 8)
    patches = site.record(build.PATCHES, "patches-accounts")["patches"]
    decisions = ["approve", "approve", "reject", "approve"]
    for number, decision in enumerate(decisions):
        row = screen.part("row").nth(number)
        click_verdict(row.locator(f"[data-column=decision] [data-value={decision}]"))
    comment = (
        screen.part("row")
        .nth(2)
        .get_by_test_id("cell")
        .and_(screen.page.locator("[data-column=comment]"))
    )
    comment.fill("the page has it right")
    _, state = site.submit(screen)

    assert [row.values["decision"] for row in state.rows] == decisions
    content = load(site.export(build.PATCHES, "parsebench") / f"{WATER[:-4]}.test.json")
    nora_patches = [p for p in content["transcript_patches"] if p["annotator"] == NORA]
    assert [p["decision"] for p in nora_patches] == decisions
    assert nora_patches[2]["comment"] == "the page has it right"
    texts = {r["text"] for r in content["test_rules"] if r["id"] in {p["id"] for p in nora_patches}}
    assert texts == {
        patch["new"] for patch, d in zip(patches, decisions, strict=True) if d == "approve"
    }
    table = site.export(build.PATCHES, "labels") / "rows.jsonl"
    stored = rows(table, annotator=NORA, task="patches-accounts")
    assert [r["values"]["decision"] for r in stored] == decisions


def test_qa_review(site: Site) -> None:
    """Judged alone first: no source, no response before; then both pages, then the votes."""
    screen = site.open(build.PAIRS, "water-02")
    boot = screen.page.request.get(f"{screen.url}/pagetrail/attempts/{screen.attempt}").json()
    assert (boot["given_pages"], boot["locked"]) == ([], ["Self-contained"])
    response = screen.part("material")
    expect(response).to_contain_text("Shown once “Self-contained” is judged.")
    expect(screen.part("film")).to_have_count(0)
    choose(screen, self_contained="yes")
    expect(response).to_contain_text("It is 2022 and 2084.")
    expect(screen.part("film")).to_have_count(2)
    film(screen, WATER, 4).click()
    for page, key in ((4, "1"), (3, "0")):
        screen.wait_until_painted(WATER, page)
        screen.judge(key)
    expect(film(screen, WATER, 3)).to_have_attribute("data-grade", "not_required")
    answers = {"human_like": "yes", "question_factual": "yes", "response_factual": "yes"}
    choose(screen, **answers, complete="yes")
    attempt = screen.attempt
    events, _ = site.submit(screen)

    first = of_type(events, "field_set", "page_viewed")[0]
    assert first.fields()["field"] == "self_contained"
    assert values_set(events)[1:3] == [
        ("source_required", 4, "required"),
        ("source_required", 3, "not_required"),
    ]
    folder = site.export(build.PAIRS, "reviews")
    (review,) = rows(folder / "reviews.jsonl", attempt=attempt)
    assert review["fields"] == {"self_contained": "yes", **answers, "complete": "yes"}
    assert [(p["page"], p["fields"]["source_required"]) for p in review["pages"]] == [
        (4, "required"),
        (3, "not_required"),
    ]
    (decision,) = rows(folder / "decisions.jsonl", task="water-02")
    assert NORA in decision["annotators"]
    votes = decision["fields"]["self_contained"]["votes"]
    assert sum(votes.values()) == len(decision["annotators"])


def test_author(site: Site) -> None:
    """A question that gives its place away is warned of, put right, and exported as a task."""
    screen = site.open(build.AUTHOR, "brief-03")
    question = screen.part("question-input")
    checks = {
        name: screen.part("check").and_(screen.page.locator(f"[data-check={name}]"))
        for name in ("giveaway", "extractive")
    }
    question.fill("How many homes in band B does this document count?")
    expect(checks["giveaway"]).to_have_attribute("data-status", "warning")
    find(screen, "band homes police", BUDGET, 6)
    cite(screen)
    screen.part("answer").fill("12,470")
    text = "How many homes in Harrowmere are in council tax band B?"
    question.fill(text)
    for check in checks.values():
        expect(check).to_have_attribute("data-status", "ok")
    choose(screen, hop="single", query_type="numerical", query_format="question")
    events, state = site.submit(screen)

    assert state.question_text == text
    assert state.checks_current
    warned = [
        finding["check"]
        for event in of_type(events, "checked")
        for finding in event.fields()["findings"]
        if finding["status"] == "warning"
    ]
    assert "giveaway" in warned
    (row,) = rows(site.export(build.AUTHOR, "authored") / "authored.jsonl", author=NORA)
    assert row["question"] == text
    assert row["answer_variants"] == [["12,470"]]
    assert row["evidence"] == [{"document": BUDGET, "page": 6}]
    assert (row["hop"], row["query_type"], row["query_format"]) == (
        "single",
        "numerical",
        "question",
    )
    assert row["checks_current"] is True
    assert {f["check"]: f["status"] for f in row["checks"]}["giveaway"] == "ok"
    assert read_task(row).question == text


def test_judge(site: Site) -> None:
    """Judged by key without a system's name in anything that reaches the browser."""
    traffic = Traffic()
    traffic.listen(site.at(NORA).page)
    key = next(
        key
        for key in (f"water-01#{number}" for number in range(1, len(SYSTEMS) + 1))
        if site.record(build.JUDGE, key)["prediction"]["system"] == PAGE_PICKER
    )
    screen = site.open(build.JUDGE, key)
    expect(screen.part("material").filter(has_text="Predicted answer")).to_contain_text("17")
    expect(screen.part("material").filter(has_text="Accepted answers")).to_contain_text("14.2")
    screen.judge("3")
    choose(screen, issue="wrong_content")
    first_screen_text = screen.part("workspace").inner_text()
    attempt = screen.attempt
    events, _ = site.submit(screen)
    screen.page.wait_for_url(lambda url: attempt not in url)  # the next prediction is loaded
    screen.wait_until_saved()

    # Both predictions came this way.
    sent = wait_until(
        screen.page,
        lambda: "\n".join(traffic.texts),
        lambda texts: texts.count("Predicted answer") > 1,
    )
    traffic.stop(screen.page)
    received_text = "\n".join([sent, first_screen_text, screen.part("workspace").inner_text()])
    assert [name for name in SYSTEMS if name in received_text] == []
    assert values_set(events) == [
        ("verdict", None, "incorrect"),
        ("issue", None, "wrong_content"),
    ]
    folder = site.export(build.JUDGE, "judgements")
    (row,) = rows(folder / "judgements.jsonl", attempt=attempt)
    assert (row["system"], row["predicted_answer"]) == (PAGE_PICKER, "17")
    assert (row["verdict"], row["code"], row["issue"]) == ("incorrect", 0, "wrong_content")
    assert (row["annotator"], row["question_id"]) == (NORA, "water-01")


ANSWERS = {
    "water-01": ("leakage", "14.2"),
    "water-06": ("receiving water storm", "Marle Water\n731"),
    "form-02": ("approved conditions", "Approved with conditions"),
}


def take_pilot(site: Site, name: str, **wrong: str) -> dict[str, str]:
    """Do the pilot and check that gold is shown after each task; returns its attempts."""
    attempts = {}
    for number, (key, (query, answer)) in enumerate(ANSWERS.items(), 1):
        screen = site.open(PILOT, key, name)
        attempts[key] = screen.attempt
        evidence = site.record(PILOT, key)["evidence"][0]
        find(screen, query, evidence["document"], evidence["page"])
        cite(screen)
        screen.part("answer").fill(wrong.get(key, answer))
        expect(screen.part("feedback")).to_have_count(0)
        site.submit(screen)
        expect(screen.part("feedback")).to_contain_text(answer.replace("\n", "; "))
        expect(screen.part("feedback-progress")).to_contain_text(f"of {number} right")
        screen.has("feedback_given", attempt=attempts[key])
    return attempts


def production_entry(screen: Screen) -> str:
    """The line about the campaign behind the pilot in My batches."""
    return screen.page.get_by_text(re.compile(f"{PRODUCTION}: ")).inner_text()


def test_pilot_passed(site: Site) -> None:
    """Everything right: the campaign behind the pilot opens, and its first task can be worked."""
    batches = site.batches(NORA)
    assert production_entry(batches).endswith(f"Opens when you have passed the pilot “{PILOT}”.")
    attempts = take_pilot(site, NORA)
    expect(site.at(NORA).part("pilot-verdict")).to_contain_text("Pilot passed")
    for attempt in attempts.values():
        events, state = site.events_and_state(attempt)
        assert [e.type for e in events[-2:]] == ["submitted", "feedback_given"]
        assert state.feedback is not None and state.feedback.right

    batches = site.batches(NORA)
    expect(batches.page.get_by_text("Passed.")).to_be_visible()
    press(batches.page.get_by_role("button", name=f"Take the next batch of “{PRODUCTION}”"))
    batches.wait_until_ready()
    assert batches.attempt not in attempts.values()
    (opened,) = batches.has("opened")
    assert opened.seq == 1

    results = rows(site.export(PILOT, "madqa") / "by-annotator" / "nora.jsonl")
    assert {row["id"]: "\n".join(row["answer"]) for row in results} == {
        key: answer for key, (_, answer) in ANSWERS.items()
    }
    exported = read_trajectories(site.export(PILOT, "trajectories"))
    for attempt in attempts.values():
        (feedback,) = of_type(exported[attempt], "feedback_given")
        assert feedback.fields()["right"] is True


def test_pilot_failed(site: Site) -> None:
    """One answer wrong: what is wrong is there, and the campaign stays closed."""
    attempts = take_pilot(site, OSKAR, **{"water-06": "Marle Water\n967"})
    expect(site.at(OSKAR).part("pilot-verdict")).to_contain_text("Pilot not passed")
    right = {key: fold_right(site, attempt) for key, attempt in attempts.items()}
    assert right == {"water-01": True, "water-06": False, "form-02": True}

    batches = site.batches(OSKAR)
    assert "2 of 3 were right and 100 % is needed" in production_entry(batches)
    name = f"Take the next batch of “{PRODUCTION}”"
    expect(batches.page.get_by_role("button", name=name)).to_have_count(0)
    table = rows(site.export(PILOT, "trajectories") / "attempts.jsonl", annotator=OSKAR)
    assert {row["attempt_id"] for row in table} == set(attempts.values())


def fold_right(site: Site, attempt: str) -> bool:
    """Whether the stored feedback marks every part as correct."""
    _, state = site.events_and_state(attempt)
    assert state.feedback is not None
    return state.feedback.right
