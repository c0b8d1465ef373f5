"""Which gold is suspect, the control sample, and the error that remains."""

from dataclasses import replace

import pytest

from benchmarks.suspect_gold import found_early, planted_campaign
from pagetrail.annotation.review.suspect_gold import (
    Label,
    LabelledPart,
    LabelledTask,
    draw_check_sample,
    family_of,
    remaining_error,
)
from pagetrail.annotation.statistics.wilson import wilson


def task(key: str, *labels: Label, gold: str = "42", judge_differs: bool = False) -> LabelledTask:
    return LabelledTask(key, [LabelledPart("answer", gold, labels)], judge_differs)


def people(*labels: str | None) -> list[Label]:
    return [Label(f"annotator {n}", True, label) for n, label in enumerate(labels)]


def systems(*labels: str | None) -> list[Label]:
    return [Label(f"system-{n}", False, label) for n, label in enumerate(labels)]


SOLVED = [task(f"solved {n}", *people("42", "42"), *systems("42", "7")) for n in range(20)]


@pytest.mark.parametrize(
    ("suspect", "reasons"),
    [
        (task("t", *people("42", "42"), *systems("42")), ()),
        (task("t", *people("7", "8"), *systems("9")), ("nobody_solved", "low_posterior")),
        (task("t", *people("7")), ("low_posterior",)),
        (task("t", *people(None, None)), ("nobody_solved",)),
        (
            task("t", *people("7", "7"), *systems("42", "42")),
            ("annotators_agree", "low_posterior"),
        ),
        (task("t", *people("42", "42"), judge_differs=True), ("judge_differs",)),
    ],
)
def test_reasons(suspect: LabelledTask, reasons: tuple[str, ...]) -> None:
    sample = draw_check_sample([*SOLVED, suspect], control_share=0.1, seed=7)

    assert sample.assessed["t"].reasons == reasons
    assert ("t" in sample.suspects) == bool(reasons)
    assert sample.controls <= sample.unsuspected


def test_task_without_labels_is_neither_suspect_nor_drawn() -> None:
    sample = draw_check_sample([*SOLVED, task("nobody")], control_share=1, seed=7)

    assert sample.without_labels == {"nobody"}
    assert set(sample.queue) == {solved.task for solved in SOLVED}


def test_systems_of_a_family_have_one_vote() -> None:
    easy = [task(f"easy {n}", *people("42"), *systems("42", "42", "42", "42")) for n in range(9)]
    tasks = [*easy, task("t", *people("42"), *systems("7", "7", "7", "7"))]

    apart = draw_check_sample(tasks, control_share=0, seed=7)
    together = draw_check_sample(
        tasks, control_share=0, seed=7, families={"one model": ["system-*"]}
    )

    assert apart.assessed["t"].posterior < together.assessed["t"].posterior
    assert [(entry.participant, entry.person) for entry in together.accuracies] == [
        ("annotator 0", True),
        ("one model", False),
    ]


def test_pattern_of_a_family_is_a_whole_name() -> None:
    assert family_of("gpt-5", {"GPT": ["gpt"]}) == "gpt-5"
    assert family_of("gpt-5", {"GPT": ["gpt", "gpt-?"]}) == "GPT"


def test_lowest_posterior_of_the_parts_counts() -> None:
    two_parts = replace(
        task("t", *people("42", "42")),
        parts=[
            LabelledPart("answer", "42", people("42", "42")),
            LabelledPart("grade", "0", people("2", "2"), ("grade", ("0", "1", "2"))),
        ],
    )

    assessed = draw_check_sample([*SOLVED, two_parts], control_share=0, seed=7).assessed["t"]

    assert assessed.posterior < 0.5
    assert "annotators_agree" in assessed.reasons


def test_order_of_tasks_and_labels_does_not_matter() -> None:
    tasks, _ = planted_campaign(3, free_text=True)
    turned = [
        replace(t, parts=[replace(part, labels=part.labels[::-1]) for part in t.parts])
        for t in reversed(tasks)
    ]

    there = draw_check_sample(tasks, control_share=0.1, seed=1)
    back = draw_check_sample(turned, control_share=0.1, seed=1)

    assert there.queue == back.queue
    assert there.controls == back.controls


def test_control_sample_has_its_share_and_follows_the_seed() -> None:
    draws = [draw_check_sample(SOLVED, control_share=0.26, seed=seed) for seed in (1, 1, 2)]

    assert [len(draw.controls) for draw in draws] == [6, 6, 6]  # of 20, rounded up
    assert draws[0].controls == draws[1].controls != draws[2].controls


def test_control_tasks_are_among_the_suspects() -> None:
    tasks, _ = planted_campaign(1, free_text=False)
    sample = draw_check_sample(tasks, control_share=0.05, seed=1)
    first_half = set(sample.queue[: len(sample.queue) // 2])

    assert 0 < len(first_half & sample.controls) < len(sample.controls)
    suspects = [sample.assessed[key] for key in sample.queue if key in sample.suspects]
    assert [s.posterior for s in suspects] == sorted(s.posterior for s in suspects)


@pytest.mark.parametrize("free_text", [False, True])
def test_planted_wrong_gold_comes_early(free_text: bool) -> None:
    tasks, planted = planted_campaign(11, free_text=free_text)

    assert found_early(draw_check_sample(tasks, control_share=0.05, seed=11), planted) >= 0.8


def test_remaining_error_is_that_of_the_control_sample() -> None:
    suspects = [task(f"suspect {n}", *people("7", "7")) for n in range(2)]
    sample = draw_check_sample([*SOLVED, *suspects], control_share=0.5, seed=1)
    first, *other_controls = sorted(sample.controls)
    decisions = dict.fromkeys(other_controls, "confirmed") | {
        first: "dropped",
        "suspect 0": "corrected",
    }

    estimate = remaining_error(sample, decisions)

    expected = 1 - sample.assessed["suspect 1"].posterior
    low, high = wilson(1, 10) or (0, 0)
    assert (estimate.checked, estimate.wrong, estimate.share) == (10, 1, 0.1)
    assert estimate.unchecked_suspects == 1
    assert estimate.unchecked == 11
    assert estimate.tasks == pytest.approx(10 * 0.1 + expected)
    assert estimate.tasks_interval == pytest.approx((10 * low, 10 * high + 1))


def test_no_estimate_before_the_first_control_task_is_checked() -> None:
    sample = draw_check_sample(SOLVED, control_share=0.5, seed=1)

    assert remaining_error(sample, {}).tasks is None


def test_nothing_remains_where_everything_was_checked() -> None:
    sample = draw_check_sample(SOLVED, control_share=1, seed=1)

    estimate = remaining_error(sample, dict.fromkeys(sample.queue, "corrected"))

    assert (estimate.share, estimate.tasks, estimate.tasks_interval) == (1.0, 0.0, (0.0, 0.0))
