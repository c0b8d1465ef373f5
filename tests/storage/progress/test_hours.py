"""Hours and payment: periods add up, tasks count once, and lists allow computing payments again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.errors import Forbidden, NotFoundError, PagetrailError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.app.admin.csv_files import hours_csv, payment_totals
from pagetrail.storage.campaigns.pay_rates import set_rate, stored_rates
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.people.overview import people_overview
from pagetrail.storage.progress.hours import Hours, working_hours
from tests.support.review_campaign import Reviewed, campaign

MINUTE_MS = 60_000


@pytest.fixture
def case(tmp_path: Path) -> Reviewed:
    """Ada submits a task in two minutes, goes on with it two days later and skips another; Bo has
    only started. Every event comes 30 s after the last one.
    """
    protocol = with_overrides(preset("search"), {"overlap": 2, "evidence.required": False})
    case = campaign(tmp_path / "ws", protocol, [{"id": f"t/{n}", "question": "?"} for n in (1, 2)])

    def record_events(attempt: str, *payloads: ev.Payload) -> None:
        for payload in payloads:
            case.clock.advance(seconds=29)
            case.do(attempt, payload)

    answers = [ev.AnswerEdited(text=text) for text in ("a", "b", "c", "d")]
    record_events("1-Ada", *answers, ev.Submitted(outcome="answered"))
    case.clock.advance(seconds=2 * 86_400)
    record_events("1-Ada", ev.Reopened(), *answers[:2], ev.Submitted(outcome="answered"))
    record_events("2-Ada", ev.AnswerEdited(text="a"), ev.Skipped(reason="odd"))
    record_events("2-Bo", *answers[:3])
    return case


def rows(case: Reviewed, **period: date | None) -> list[tuple[str, int, int, int]]:
    """Name, submitted, skipped, seconds at work."""
    entries = working_hours(case.workspace, **period)  # type: ignore[arg-type]
    return [(e.name, e.submitted, e.skipped, e.active_ms // 1000) for e in entries]


def test_attempts_during_which_the_clock_was_set_are_counted(case: Reviewed) -> None:
    """In the period in which it was set, once per attempt, in the list and in its file."""
    before = case.clock.now().date()
    case.clock.advance(seconds=86_400)
    for _ in range(2):
        case.do("2-Bo", ev.TimeCorrected(clock_ms=-9_000, counted_ms=1_000))
    counts = {entry.name: entry.time_corrected for entry in working_hours(case.workspace)}
    assert counts == {"Ada": 0, "Bo": 1}
    assert hours_csv(working_hours(case.workspace)).decode().splitlines()[2].endswith(",1")
    earlier = working_hours(case.workspace, last=before)
    assert [entry.time_corrected for entry in earlier] == [0, 0]


def test_periods_add_up_and_a_task_counts_once(case: Reviewed) -> None:
    """Reopened work is time on its own day, and no second task; what nobody did is not listed."""
    day = case.clock.now().date()
    earlier = day.fromordinal(day.toordinal() - 1)
    assert rows(case) == [("Ada", 1, 1, 120 + 90 + 30), ("Bo", 0, 0, 60)]
    assert rows(case, last=earlier) == [("Ada", 1, 0, 120)]
    assert rows(case, first=day, last=day) == [("Ada", 0, 1, 90 + 30), ("Bo", 0, 0, 60)]
    assert working_hours(case.workspace, campaign="Random") == working_hours(case.workspace)
    with pytest.raises(NotFoundError):
        working_hours(case.workspace, campaign="no such")


@pytest.mark.parametrize(
    ("rate", "unit", "payment"),
    [("15.50", "hour", "25.88"), ("0.335", "task", "1.01"), ("0", "hour", "0.00")],
)
def test_payment_is_the_rate_times_the_time_at_work(rate: str, unit: str, payment: str) -> None:
    """Computed from milliseconds, rounded once, halves up. Both times of the file give it, too."""
    paid = PayRate.parse(rate, unit, "eur")
    hours_row = Hours("=Ada", "annotator-01", "North", 3, 1, 100 * MINUTE_MS + 10_000, "C", paid)
    assert hours_row.hours == Decimal("1.669444")
    assert str(hours_row.payment) == payment
    lines = hours_csv([hours_row, replace(hours_row, rate=None)]).decode().splitlines()
    assert (
        lines[1] == f"'=Ada,annotator-01,North,3,1,1.669444,{rate},{unit},{payment},EUR,C,6010000,0"
    )
    assert lines[2] == "'=Ada,annotator-01,North,3,1,1.669444,,,,,C,6010000,0"
    if unit == "hour":
        for hours in (hours_row.hours, Decimal(hours_row.active_ms) / 3_600_000):
            assert f"{hours * paid.amount:.2f}" == payment
    # 0.005 EUR: a half is a half, although its hours have no last digit.
    half = replace(hours_row, active_ms=1_200, rate=PayRate.parse("15", "hour", "EUR"))
    assert half.payment == Decimal("0.01")


def test_rates_are_stored_noted_and_used(case: Reviewed) -> None:
    """The campaign's, somebody's own in its place, and none again; only supervisors set them."""

    def paid() -> list[tuple[str, str, str]]:
        return [(e.name, str(e.rate), str(e.payment)) for e in working_hours(case.workspace)]

    (ada,) = (entry for entry in people_overview(case.workspace) if entry.person.name == "Ada")
    set_rate(case.workspace, None, "Random", None, PayRate.parse("30", "hour", "EUR"))
    set_rate(case.workspace, None, "Random", "ada", PayRate.parse("2.5", "task", "USD"))
    assert paid() == [
        ("Ada", "2.5 USD per task", "2.50"), ("Bo", "30 EUR per hour", "0.50")
    ]  # fmt: skip
    assert (
        payment_totals(working_hours(case.workspace), "{:,.{}f}".format) == "0.50 EUR and 2.50 USD"
    )
    assert [entry.name for entry in working_hours(case.workspace, user_id=ada.person.id)] == ["Ada"]
    set_rate(case.workspace, None, "Random", "Ada", None)
    assert paid()[0] == ("Ada", "30 EUR per hour", "2.00")
    with pytest.raises(Forbidden):
        set_rate(case.workspace, ada.person, "Random", "Ada", PayRate.parse("99", "hour", "EUR"))
    for refused in (("-1", "hour", "EUR"), ("1e9", "hour", "EUR"), ("1", "day", "EUR"),
                    ("1", "hour", "euro"), ("1", "hour", "")):  # fmt: skip
        with pytest.raises(PagetrailError) as error:
            set_rate(case.workspace, None, "Random", None, PayRate.parse(*refused))
        assert error.value.code == "invalid_rate"
    assert [str(entry.rate) for entry in stored_rates(case.workspace)] == ["30 EUR per hour"]
    assert [e.detail for e in audit_entries(case.workspace) if e.action == "rate_changed"] == [
        "Random, Ada: 2.5 USD per task → none",
        "Random, Ada: none → 2.5 USD per task",
        "Random: none → 30 EUR per hour",
    ]
