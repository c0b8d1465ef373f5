"""Markup and script from people and files: shown as text, never run."""

from __future__ import annotations

from playwright.sync_api import expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Screen, of_type, task_path
from tests.e2e.support.small_workspace import AIDED, EVIL, IMAGE, QUESTIONS, SCRIPT, attempts


def assert_no_script_ran(screen: Screen) -> None:
    """Check that no script in the content ran and none of its elements exist."""
    assert screen.page.evaluate("window.hacked") is None
    assert screen.page.locator("img[onerror]").count() == 0
    assert screen.page.locator("a[href^='javascript:']").count() == 0


def test_hostile_question_document_note_and_guidelines(screen_of: OpenScreen) -> None:
    """Question, file name, snippet, note, flag, answer and guidelines are text and stay text."""
    screen = screen_of("alma", "evil", campaign=AIDED)
    expect(screen.part("question")).to_have_text(QUESTIONS["evil"])
    screen.search("hostile")
    expect(screen.part("result")).to_have_count(2)
    expect(screen.result(1)).to_contain_text("<img src=x onerror=alert(1)>.pdf")
    expect(screen.part("results")).to_contain_text("<script>")
    document, page = screen.open_result(1)
    assert document == EVIL
    screen.part("cite").click()
    screen.part("citation-open").click()
    for part in ("answer", "note"):
        screen.part(part).fill(f"{IMAGE}\n{SCRIPT}")
    screen.part("flag").click()
    screen.part("flag-input").fill(SCRIPT)
    screen.part("confirm-flag").click()
    expect(screen.part("flag-comment")).to_have_text(SCRIPT)
    screen.part("guidelines").click()
    expect(screen.part("guidelines-dialog")).to_contain_text("a good one")
    screen.part("guidelines-dialog-close").click()
    screen.part("submit").click()
    expect(screen.part("submit-dialog")).to_contain_text(SCRIPT)
    assert_no_script_ran(screen)
    screen.part("cancel-submit").click()
    screen.has("note_edited")
    screen.page.reload()
    screen.wait_until_ready()
    screen.wait_until_painted(EVIL, page)
    expect(screen.part("answer")).to_have_value(f"{IMAGE}\n{SCRIPT}")
    assert_no_script_ran(screen)
    (cited,) = of_type(screen.events(), "citation_added")
    assert cited.fields()["document"] == EVIL


def test_annotators_text_cannot_harm_supervisors(screen_of: OpenScreen) -> None:
    """Progress and trajectory show a hostile question, flag, note and file name as text.

    The task itself is not the supervisor's to open.
    """
    alma = screen_of("alma", "evil")
    alma.search("hostile")
    alma.open_result(1)
    alma.part("cite").click()
    alma.part("note").fill(f"{SCRIPT} {IMAGE} [x](javascript:alert(5)) $x^2$ :red[big]")
    alma.part("flag").click()
    alma.part("flag-input").fill(f"{SCRIPT} {IMAGE} [x](javascript:alert(6))")
    alma.part("confirm-flag").click()
    alma.has("flagged")
    alma.has("note_edited")
    sven = screen_of("sven")
    expect(sven.page.get_by_role("heading", name="Progress", exact=True)).to_be_visible()
    expect(sven.page.get_by_text(IMAGE).first).to_be_visible()
    assert_no_script_ran(sven)
    sven.page.goto(f"{sven.url}/trajectory?attempt={alma.attempt}")
    expect(sven.page.get_by_role("heading", name="Replay")).to_be_visible()
    lanes = sven.page.get_by_test_id("replay")
    expect(lanes.get_by_text("Searches", exact=True)).to_be_visible()
    expect(sven.page.get_by_text("Submission and gold")).to_be_visible()
    expect(sven.page.get_by_text(":red[big]")).to_be_visible()
    assert_no_script_ran(sven)
    sven.page.goto(f"{sven.url}{task_path(alma.attempt)}")
    expect(sven.page.get_by_role("heading", name="This task cannot be opened")).to_be_visible()
    assert [event.type for event in alma.events()][:2] == ["opened", "searched"]


def test_odd_queries_are_answered_in_words(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Nothing found, too broad, unbalanced, misspelt: each says what to do, and is logged."""
    screen = screen_of("alma", "q1")
    _nothing_found(screen)
    _too_broad(screen)
    _stop_words(screen)
    _unbalanced(screen)
    screen.go(attempts(workspace, "alma", AIDED)["q1"])
    _misspelt(screen)


def _nothing_found(screen: Screen) -> None:
    """A search without results says how the query was read and what to do; no empty viewer."""
    screen.search("otters badgers unicorns")
    expect(screen.part("results-heading")).to_have_text("No page matches")
    expect(screen.part("no-results")).to_contain_text("All words must match on one page")
    expect(screen.part("no-results")).to_contain_text("text:unicorns")
    expect(screen.part("suggestion")).to_have_count(0)
    (search,) = screen.has("searched")
    assert (search.fields()["total_hits"], search.fields()["results"]) == (0, [])


def _too_broad(screen: Screen) -> None:
    """A query that is too broad is refused and logged; the next search works."""
    for query in ("a* OR b* OR c*", "*", "   "):
        screen.part("search-input").fill(query)
        screen.part("search-run").click()
        expect(screen.part("search-run")).to_have_text("Search")
        if not query.strip():
            expect(screen.part("search-message")).to_have_text("Type the words to look for.")
    screen.search("badgers")
    expect(screen.part("result")).to_have_count(1)
    expect(screen.part("search-message")).to_be_empty()
    refused = [event.fields() for event in of_type(screen.events(), "search_refused")]
    assert "*" in [fields["query"] for fields in refused]
    assert "   " not in [fields["query"] for fields in refused]
    assert all(fields["message"].endswith((".", "?")) for fields in refused)


def _stop_words(screen: Screen) -> None:
    """A search for stop words finds nothing and gives the reason."""
    screen.search("the of")
    expect(screen.part("results-heading")).to_have_text("No page matches")
    expect(screen.part("no-results")).to_contain_text("are not indexed")
    search = of_type(screen.events(), "searched")[-1]
    assert (search.fields()["query"], search.fields()["results"]) == ("the of", [])


def _unbalanced(screen: Screen) -> None:
    """Queries with unbalanced syntax are searched as the reference parser does, without error."""
    searched = len(of_type(screen.events(), "searched"))
    refused = len(of_type(screen.events(), "search_refused"))
    queries = ('"otters counted', 'otters" counted', "(otters", "otters AND")
    for number, query in enumerate(queries, start=searched + 1):
        screen.search(query)
        search = screen.has("searched", number)[-1]
        assert search.fields()["total_hits"] >= 1, query
        expect(screen.part("search-message")).to_be_empty()
    assert len(of_type(screen.events(), "search_refused")) == refused


def _misspelt(screen: Screen) -> None:
    """With search aids on, a click on the suggested word searches for it."""
    screen.search("badgrs")
    screen.part("suggestion").click()
    expect(screen.part("result")).to_have_count(1)
    assert [e.fields()["query"] for e in screen.has("searched", 2)] == ["badgrs", "badgers"]
