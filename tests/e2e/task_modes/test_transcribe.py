"""The text of a page: patches decided by keys, direct editing, words of the page, two tabs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.attempts.transcript_state import Transcript
from tests.e2e.support.action_count import count_from_now, counted_actions
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.form_steps import take_box_tool
from tests.e2e.support.preset_workspace import SURVEY, TEXT_PATCHES, TEXTS, TRANSCRIPT
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, Watch, of_type
from tests.e2e.support.server_process import CONNECTION_LOST

_SHOWS = """([text]) => {
  const find = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.dataset.testid === "transcript-editor") return node;
      const below = node.shadowRoot && find(node.shadowRoot);
      if (below) return below;
    }
    return null;
  };
  const lines = [...(find(document)?.querySelectorAll(".cm-line") ?? [])].map((line) => {
    const copy = line.cloneNode(true);
    for (const mark of copy.querySelectorAll("ins")) mark.remove();
    return copy.textContent;
  });
  return lines.join("\\n") === text;
}"""


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """The task, its page painted and its editor loaded."""
    screen = task_of("survey", TEXTS)
    screen.wait_until_painted(SURVEY, 1)
    expect(screen.part("transcript-editor")).to_be_visible()
    return screen


def transcript(screen: Screen) -> Transcript:
    """The stored text and patches."""
    state = fold(screen.events())
    assert state.transcript is not None
    return state.transcript


def stored_text(screen: Screen) -> str:
    """The text as stored once everything is saved, which the editor shows as well."""
    screen.wait_until_saved()
    text = transcript(screen).text
    wait_for(screen.page, _SHOWS, [text])
    return text


def at_end(screen: Screen) -> None:
    """Put the cursor at the end of the text."""
    screen.part("transcript-editor").click()
    screen.page.keyboard.press("Control+End")


def test_patches_and_edits_are_undone_in_one_history(screen: Screen) -> None:
    """Accept, reject and type by keys alone; all of it can be undone, after a reload too."""
    page = screen.page
    page.get_by_test_id("page-pane").focus()
    page.keyboard.press("j")
    expect(screen.part("patch-now")).to_contain_text("The heading says 2024.")
    announced = screen.part("patch-announced")
    expect(announced).to_have_text("Patch 1 of 3.")
    screen.judge("v")
    expect(screen.part("patch-now")).to_contain_text("A digit instead of a letter.")
    expect(announced).to_have_text("Patch accepted. Patch 1 of 2.")
    screen.judge("x")
    expect(screen.part("patch-count")).to_have_text("Patch 1 of 1")
    expect(announced).to_have_text("Patch rejected. Patch 1 of 1.")
    page.keyboard.press("Enter")
    expect(screen.part("transcript-editor")).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.type("v x😀 ")  # letters are keys outside of the editor only
    expected = "v x😀 " + TRANSCRIPT.replace("2023", "2024")
    screen.has("text_edited")
    assert stored_text(screen) == expected
    page.keyboard.press("Escape")
    expect(screen.part("page-pane")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # writes no tab
    expect(screen.part("transcript-editor")).not_to_be_focused()
    page.reload()
    screen.wait_until_ready()
    expect(screen.part("transcript-editor")).to_be_visible()
    assert stored_text(screen) == expected
    # Typing that took longer than a pause is more than one edit.
    for _ in (*of_type(screen.events(), "text_edited"), "reject", "accept"):
        page.keyboard.press("Control+z")
    screen.has("patch_decided", 4)
    assert stored_text(screen) == TRANSCRIPT
    assert {patch.state for patch in transcript(screen).patches} == {"open"}
    screen.judge("Shift+V")
    expect(screen.part("patch-count")).to_have_text("No patch is open")
    assert "| Unstrut | 17 |" in stored_text(screen)


def test_typing_survives_a_reload_and_a_lost_connection(screen: Screen, watch: Watch) -> None:
    """What is typed just before the tab is gone is in the text when it comes back."""
    watch.allow(*CONNECTION_LOST)
    at_end(screen)
    screen.page.keyboard.type("typed last")
    screen.page.reload()
    screen.wait_until_ready()
    screen.has("text_edited")
    assert stored_text(screen) == TRANSCRIPT + "typed last"
    screen.page.context.set_offline(True)
    at_end(screen)
    screen.page.keyboard.type(", and offline")
    screen.page.context.set_offline(False)
    screen.has("text_edited", 2)
    assert stored_text(screen) == TRANSCRIPT + "typed last, and offline"


def test_two_tabs_merge_their_edits(screen: Screen, watch: Watch) -> None:
    """An edit of a tab that did not know the other's is merged with it, and not misplaced."""
    watch.allow(*CONNECTION_LOST, "ERR_FAILED")
    second = Screen(screen.page.context.new_page(), screen.url, screen.events)
    second.open(screen.attempt)
    expect(second.part("transcript-editor")).to_be_visible()
    second.page.route("**/pagetrail/attempts/**", lambda route: route.abort())
    at_end(second)
    second.page.keyboard.type("from the second tab")
    expect(second.part("connection")).not_to_have_text("Online")
    screen.page.bring_to_front()
    screen.part("transcript-editor").click()
    screen.page.keyboard.press("Control+Home")
    screen.page.keyboard.type("From the first tab.\n\n")
    screen.has("text_edited")
    second.page.unroute("**/pagetrail/attempts/**")
    second.page.bring_to_front()
    screen.has("text_edited", 2)
    expected = f"From the first tab.\n\n{TRANSCRIPT}from the second tab"
    assert stored_text(second) == expected
    second.page.close()
    screen.page.bring_to_front()
    assert stored_text(screen) == expected


def test_words_of_the_page_are_inserted_at_the_cursor(screen: Screen) -> None:
    """By drawing a box around them, and by outlining a block with keys."""
    page = screen.page
    at_end(screen)
    page.keyboard.press("Escape")
    take_box_tool(screen)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".words rect").first).to_be_attached()
    page.keyboard.press("Enter")
    (edited,) = screen.has("text_edited")
    assert edited.fields()["source"] == "recognised"
    assert stored_text(screen) == f"{TRANSCRIPT}Otter survey 2024"
    image = page.get_by_test_id("page-pane").locator("canvas").bounding_box()
    assert image is not None
    page.mouse.move(image["x"] + 2, image["y"] + 2)
    page.mouse.down()
    page.mouse.move(image["x"] + image["width"] - 4, image["y"] + 0.33 * image["height"], steps=4)
    page.mouse.up()
    screen.has("text_edited", 2)
    assert "Counting took place on twelve mornings in spring." in stored_text(screen)


def test_find_and_replace_is_one_step(screen: Screen) -> None:
    """All hits are replaced by one event, and one undo puts them back."""
    page = screen.page
    page.get_by_test_id("page-pane").focus()
    page.keyboard.press("Control+h")
    expect(screen.part("transcript-find")).to_be_focused()
    page.keyboard.type("tt")
    screen.part("transcript-replace").fill("TT")
    screen.part("transcript-replace-all").click()
    (edited,) = screen.has("text_edited")
    assert edited.fields()["source"] == "replace"
    assert len(edited.fields()["edits"]) == TRANSCRIPT.count("tt") > 1
    page.keyboard.press("Escape")
    expect(screen.part("transcript-editor")).to_be_focused()
    page.keyboard.press("Control+z")
    screen.has("text_edited", 2)
    assert stored_text(screen) == TRANSCRIPT


def test_hostile_markdown_becomes_text(screen: Screen) -> None:
    """Rendered, the text has headings and tables; its scripts, images and links are words."""
    page = screen.page
    page.get_by_test_id("page-pane").focus()
    page.keyboard.press("h")
    rendered = screen.part("rendered-text")
    expect(rendered.locator("h1")).to_contain_text("Otter survey")
    expect(rendered.locator("table tr")).to_have_count(3)
    expect(rendered.locator("td strong")).to_have_text("42")
    expect(rendered).to_contain_text("<script>window.hacked = 1</script>")
    expect(rendered).to_contain_text("javascript:alert(1)")
    page.keyboard.press("j")
    expect(rendered.locator("ins.current")).to_have_text("2024")
    assert rendered.locator("a, img, script, [onerror], [style]").count() == 0
    assert page.evaluate("window.hacked") is None
    assert screen.part("patch-now").locator("img").count() == 0
    page.keyboard.press("h")
    expect(screen.part("transcript-editor")).to_be_visible()
    assert screen.part("transcript").locator("a, img[onerror], script").count() == 0


_PLAIN_EDITOR = """(text) => {
  const editor = document.createElement("pre");
  editor.id = "plain";
  editor.contentEditable = "plaintext-only";
  editor.style = "position: fixed; inset: 0; z-index: 9999999; background: white; padding: 4rem";
  editor.textContent = text;
  document.body.append(editor);
}"""
_PLACE = """(editor, after) => {
  const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(after) + after.length;
    if (at < after.length) continue;
    const range = document.createRange();
    range.setStart(node, at - 1);
    range.setEnd(node, at);
    const { right, top, height } = range.getBoundingClientRect();
    return [right - 1, top + height / 2];
  }
  return null;
}"""


def click_after(editor: Locator, text: str) -> None:
    """Put the cursor right after a text."""
    place = editor.evaluate(_PLACE, text)
    assert place is not None, text
    editor.page.mouse.click(*place)


def correct_the_rest(screen: Screen, editor: Locator) -> None:
    """Two edits that no patch proposes."""
    click_after(editor, "in spring")
    screen.page.keyboard.type(" 2024")
    click_after(editor, "twelve")
    for _ in "twelve":
        screen.page.keyboard.press("Backspace")
    screen.page.keyboard.type("ten")


def test_actions_of_correcting_a_page(screen: Screen) -> None:
    """A key per patch and one to begin; in a plain editor each patch has to be typed.

    Keys and presses of the mouse, as docs/performance.md states them, to the same text.
    """
    page = screen.page
    edits = (1 + len(" 2024")) + (1 + len("twelve") + len("ten"))
    page.get_by_test_id("page-pane").focus()
    count_from_now(screen, typing=True)
    page.keyboard.press("j")
    screen.judge(*"v" * len(TEXT_PATCHES))
    expect(screen.part("patch-count")).to_have_text("No patch is open")
    decisions = counted_actions(screen)
    assert decisions == 1 + len(TEXT_PATCHES)
    correct_the_rest(screen, screen.part("transcript-editor"))
    assert counted_actions(screen) == decisions + edits == 20
    screen.has("text_edited", 2)
    text = stored_text(screen)

    page.evaluate(_PLAIN_EDITOR, TRANSCRIPT)
    plain = page.locator("#plain")
    count_from_now(screen, typing=True)
    for before, wrong, right in (("202", "3", "4"), ("p", "1", "l"), ("Unstrut |", "", " 17")):
        click_after(plain, before + wrong)
        for _ in wrong:
            page.keyboard.press("Backspace")
        page.keyboard.type(right)
    correct_the_rest(screen, plain)
    assert counted_actions(screen) == (3 + 3 + 4) + edits == 26
    assert plain.evaluate("(editor) => editor.textContent") == text
    plain.evaluate("(editor) => editor.remove()")
