"""What Streamlit is given shows what the task's screen shows: read again, it is the same tree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.protocols.protocol import guidelines, preset_names
from pagetrail.app.ui.markdown_nodes import markdown_nodes
from pagetrail.app.ui.markdown_rendering import streamlit_markdown

_JOINER = "\u2060"


def _plain(nodes: Any) -> Any:
    """The tree without what differs on purpose: joiners, space, and neighbouring texts."""
    merged: list[Any] = []
    for node in nodes:
        if isinstance(node, str):
            text = node.replace(_JOINER, "").replace("\u200b", "")
            if merged and isinstance(merged[-1], str):
                merged[-1] += text
            else:
                merged.append(text)
            continue
        children = _plain(node.get("children", []))
        if node["tag"] == "p":
            merged += children  # a tight list has none, a loose one has
        else:
            merged.append({"tag": node["tag"], "href": node.get("href"), "children": children})
    squeezed = [" ".join(n.split()) if isinstance(n, str) else n for n in merged]
    return [node for node in squeezed if node != ""]


@pytest.mark.parametrize("name", [name for name in preset_names() if guidelines(name)])
def test_the_presets_guidelines_come_out_as_they_are(name: str) -> None:
    """Every preset's own guidelines."""
    text = guidelines(name)
    assert _plain(markdown_nodes(streamlit_markdown(text))) == _plain(markdown_nodes(text))


@pytest.mark.parametrize(
    "text",
    [
        "# One\n\ntwo **three** *four* ~~five~~ `six`\n\n- a\n- b\n  1. c\n  2. d\n\n> say\n> more",
        "| a | b |\n|---|---|\n| 1 \\| 2 | **x** |\n",
        "```python\nx = `1`\n````\n```\n",
        "a\nb  \nc\\\nd",
        "[link](https://example.org/a_(b)) and <https://example.org> and [no](javascript:x)",
        "- \n- x",
        "5. five\n6. six",
        "***\n\n---",
        "",
    ],
)
def test_each_kind_of_node_survives(text: str) -> None:
    """Headings, lists in lists, quotes, tables, code, breaks, links, rules."""
    assert _plain(markdown_nodes(streamlit_markdown(text))) == _plain(markdown_nodes(text))


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
        ("![x](https://evil.example/p.png)", "x"),
        ("cost $5 and $6", "cost \\$5 and \\$6"),
        (":red[x] :material/home:", f":{_JOINER}red\\[x\\] :{_JOINER}material/home:"),
    ],
)
def test_streamlit_markup_stays_text(text: str, stays: str) -> None:
    """No HTML, no image from elsewhere, no formula, no colour, no icon."""
    assert streamlit_markdown(text) == stays


@given(st.text(alphabet="ab *_`[]()<>#-+|\\$:!\n1.&~", max_size=60))
def test_text_never_becomes_markup_unknown_to_the_task_screen(text: str) -> None:
    """On hostile texts: no tag in the preview that the task's screen does not have."""

    def tags(nodes: Any) -> set[str]:
        tag_names: set[str] = set()
        for node in nodes:
            if not isinstance(node, str):
                tag_names |= {node["tag"], *tags(node.get("children", []))}
        return tag_names

    assert tags(markdown_nodes(streamlit_markdown(text))) <= tags(markdown_nodes(text)) | {"p"}
