"""Questions, answers and pages in Arabic and Chinese."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.shared_small_workspace import ARABIC, ARABIC_AND_CHINESE, CHINESE, SCRIPTS

_FROM_THE_RIGHT = """node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const text = range.getBoundingClientRect(), box = node.getBoundingClientRect();
  return box.right - text.right < text.left - box.left;
}"""
"""Whether a text that is shorter than its line is at the line's right end."""


def from_the_right(node: Locator) -> bool:
    """Whether a text begins at the right."""
    return bool(node.evaluate(_FROM_THE_RIGHT))


@pytest.mark.parametrize(
    ("key", "question", "query", "page", "answer", "rtl"),
    [
        ("ar", ARABIC, "وأربعون", 1, "اثنان وأربعون (42)", True),
        ("zh", CHINESE, "*水獭*", 2, "四十二只", False),
    ],
    ids=["Arabic", "Chinese"],
)
def test_from_question_to_answer(
    task_of: TaskOf, key: str, question: str, query: str, page: int, answer: str, rtl: bool
) -> None:
    """All texts run their own way, the word is found, and what is typed is stored as typed."""
    screen = task_of(key, SCRIPTS)
    expect(screen.part("question")).to_contain_text(question)
    assert from_the_right(screen.part("question").get_by_text(question)) is rtl
    screen.search(query)
    expect(screen.part("search-input")).to_have_css("direction", "rtl" if rtl else "ltr")
    assert screen.open_result(1) == (ARABIC_AND_CHINESE, page)
    screen.part("cite").click()
    screen.part("answer").fill(answer)
    screen.part("answer").blur()
    expect(screen.part("answer")).to_have_css("direction", "rtl" if rtl else "ltr")
    line = screen.part("answer-preview").get_by_role("listitem")
    expect(line).to_have_text([answer])
    assert from_the_right(line) is rtl
    (searched,) = screen.has("searched")
    assert searched.fields()["query"] == query
    assert searched.fields()["total_hits"] == 1
    (edited,) = screen.has("answer_edited")
    assert edited.fields()["text"] == answer
    (cited,) = screen.has("citation_added")
    assert (cited.fields()["document"], cited.fields()["page"]) == (ARABIC_AND_CHINESE, page)
