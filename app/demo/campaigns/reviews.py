"""Question–answer pairs to review and predictions to judge, and people who do."""

from __future__ import annotations

from pagetrail.app.demo.agent_runs import Plan, agent_plans
from pagetrail.app.demo.corpus import Demo, Record
from pagetrail.app.demo.simulated_work import SimulatedTab

REVIEWED = ("water-02", "water-03", "rail-01", "form-04")
JUDGED_IDS = ("water-01", "paper-02", "water-05", "trade-01")
"""Questions of which all agents' answers are judged."""
PAGE_PICKER = "page-picker"
"""An agent that never searches and words its answers awkwardly."""
N_AWKWARD = 32
LONGEST_ADDITION = 25
"""Characters from which an answer has too many words."""


def pairs(demo: Demo) -> list[Record]:
    """Pairs with sources, among them a wrong response, an incomplete one and a needless page."""
    by_id = {row["id"]: row for row in demo.questions}
    rows = []
    for number, key in enumerate(REVIEWED):
        row = by_id[key]
        answers = row["answer_variants"][0]
        response = f"It is {' and '.join(answers)}."
        if number == 1:
            response = f"It is {answers[0]}."
        if number == 2:
            response = "It is not stated, but it may be about a tenth."
        evidence = list(row["evidence"])
        first = evidence[0]
        other = first["page"] - 1 if first["page"] > 1 else first["page"] + 1
        if number != 3:
            evidence.append({"document": first["document"], "page": other})
        rows.append({**row, "evidence": evidence, "response": response})
    rows.append(
        {
            **rows[0],
            "id": "pair-alone",
            "question": "How much did it say on that page for the year before?",
            "response": "It is 2084.",
        }
    )
    return rows


def review(
    tab: SimulatedTab, record: Record, demo: Demo, *, accuracy: float, submit: bool = True
) -> None:
    """Judge the question alone, open its sources, judge the rest."""
    tab.do("opened", after_s=(0, 1), session="demo")
    self_contained = "no" if record["id"] == "pair-alone" else "yes"
    human = self_contained if tab.rng.random() < accuracy else "yes"
    _set_field(tab, "self_contained", self_contained)
    _set_field(tab, "human_like", human)
    if not submit:
        return
    original = next((row for row in demo.questions if row["id"] == record["id"]), None)
    needed = original["evidence"] if original else record["evidence"][:1]
    for number, page in enumerate(record["evidence"]):
        tab.do("page_viewed", after_s=(4, 12), via="next" if number else "given", **page)
        needs = page in needed if tab.rng.random() < accuracy else page not in needed
        value = "required" if needs else "not_required"
        tab.do("field_set", after_s=(3, 9), field="source_required", value=value, **page)
    answers = original["answer_variants"][0] if original else []
    included = [answer for answer in answers if answer in record["response"]]
    _set_field(tab, "question_factual", "yes")
    _set_field(tab, "response_factual", "yes" if included else "no")
    complete = bool(answers) and len(included) == len(answers)
    if tab.rng.random() > accuracy:
        complete = not complete
    _set_field(tab, "complete", "yes" if complete else "no")
    tab.do("submitted", after_s=(2, 6), outcome="completed")


def awkward_answers(demo: Demo) -> dict[str, str]:
    """Question → what the page picker answers; few of its answers match the gold exactly."""
    answerable = [row for row in demo.questions if row["answer_variants"]]
    rows = sorted(answerable, key=lambda row: (row["id"] not in JUDGED_IDS, row["id"][-2:]))
    return {
        row["id"]: _awkward(number, _answer_text(_right(row)))
        for number, row in enumerate(rows[:N_AWKWARD])
    }


def predictions(demo: Demo) -> list[Record]:
    """Questions with the page picker's answers, and some with those of the other agents, too."""
    by_id = {row["id"]: row for row in demo.questions}

    def answers(key: str) -> list[dict[str, str]]:
        plans = agent_plans().items() if key in JUDGED_IDS else ()
        return [
            {"system": system, "answer": _answer_text(_answer(by_id[key], plans_of[key]))}
            for system, plans_of in plans
        ]

    return [
        {
            **by_id[key],
            "predictions": [*answers(key), {"system": PAGE_PICKER, "answer": answer}],
        }
        for key, answer in awkward_answers(demo).items()
    ]


def _awkward(number: int, right: str) -> str:
    return (
        "17",
        "I could not find this in the documents provided.",
        f"{right}.",
        f"The documents discuss this at length; on balance the figure may be near {right}, "
        "although other readings exist.",
        f"It is {right}.",
        f"{right}, as the table shows",
        "Roughly half of what it was.",
    )[number % 7]


def _right(row: Record) -> list[str]:
    answers: list[str] = row["answer_variants"][0]
    return answers


def _answer(row: Record, plan: Plan) -> list[str]:
    return _right(row) if plan.answer is None else plan.answer


def _answer_text(answers: list[str]) -> str:
    return ", ".join(answers)


def judge(tab: SimulatedTab, record: Record, *, accuracy: float) -> None:
    """Compare a prediction with the accepted answers."""
    tab.do("opened", after_s=(0, 1), session="demo")
    answer = str(record["prediction"]["answer"])
    verdict = true_verdict(answer, record)
    if verdict == 1 and tab.rng.random() < accuracy:
        _set_field(tab, "verdict", "correct")
    elif verdict:
        _set_field(tab, "verdict", "partial")
        _set_field(tab, "issue", "verbosity")
    else:
        _set_field(tab, "verdict", "incorrect")
        _set_field(tab, "issue", "refusal" if "could not" in answer else "wrong_content")
    tab.do("submitted", after_s=(2, 6), outcome="completed")


def true_verdict(answer: str, record: Record) -> float:
    """1 for the accepted answer in few words, 0.5 for many words, 0 for another answer."""
    right = ", ".join(record["answer_variants"][0])
    if right not in answer:
        return 0.0
    return 1.0 if len(answer) - len(right) < LONGEST_ADDITION else 0.5


def _set_field(tab: SimulatedTab, field: str, value: str) -> None:
    tab.do("field_set", after_s=(3, 12), field=field, value=value)
