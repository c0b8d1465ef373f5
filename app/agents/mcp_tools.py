"""The tools of the MCP server: their arguments, and their descriptions for language models."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pagetrail.annotation.events.base import MAX_ANSWERS, MAX_TEXT
from pagetrail.annotation.events.work import Outcome, StatedConfidence
from pagetrail.annotation.protocols.fields import Value

MAX_LISTED = 200


def _parsed(value: Any) -> Any:
    """The value; some clients send lists as JSON in a string."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _no_truth(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a page number, not true or false")
    return value


# The bounds come first: behind a validator pydantic writes ge and le, which no client knows.
Page = Annotated[int, Field(ge=1, le=10_000_000), BeforeValidator(_no_truth)]
Tokens = Annotated[int, Field(ge=0, le=10**15)]
File = Annotated[str, Field(min_length=1, max_length=1_000)]


class Arguments(BaseModel):
    """Base of all arguments; undeclared ones are refused."""

    model_config = ConfigDict(extra="forbid")


class ListTasks(Arguments):
    """List the questions of this campaign with their ids and your status on each.

    Returns {tasks: [{id, question, status}], total, counts, next_offset, instructions}. `status`
    is "new", "open" (started: continue with it), "submitted" or "skipped". Read the instructions
    once, then call open_task with the id of a task that is new or open.
    """

    status: Literal["new", "open", "submitted", "skipped"] | None = Field(
        default=None, description="only tasks with this status"
    )
    offset: int = Field(default=0, ge=0, description="how many to skip at the start")
    limit: int = Field(default=50, ge=1, le=MAX_LISTED, description="how many to list at most")
    guidelines: bool = Field(
        default=False, description="whether to return the guidelines for people as well"
    )


class OpenTask(Arguments):
    """Open a task and start its clock. Call it before searching: one task is open at a time.

    Returns the question, the pages given with the task (null: find pages by searching), the
    outcomes submit_answer accepts, the time left if there is a limit, and, if you or an earlier
    run started the task before, the work so far. Finish with submit_answer or skip_task.
    """

    task: str = Field(min_length=1, max_length=1_000, description="the task's id, from list_tasks")


class SearchDocuments(Arguments):
    """Search the pages of the collection with BM25. All words must be on the page.

    Syntax: "a phrase" in double quotes, OR, NOT, (groups), word* patterns, file:"name.pdf".
    Returns {results: [{file, page, rank}], total_hits, understood_as, query}: the best pages
    first, pages counted from 1. total_hits is the number of matching pages. Results have no
    text: read a page with read_page. If nothing was found, try fewer or different words.
    """

    query: str = Field(max_length=MAX_TEXT, description="what to search for")


class ReadPage(Arguments):
    """Read one page of a document: its text and, with image=true, its image.

    Request the image where layout matters (tables, charts, forms) or where a page has no text.
    """

    file: File = Field(description="the document's name, as search_documents gives it")
    page: Page = Field(description="page number, from 1")
    image: bool = Field(default=False, description="whether to return the page's image as well")


class Cited(Arguments):
    """A page that the answer rests on."""

    file: File = Field(description="the document's name")
    page: Page = Field(description="page number, from 1")


class SubmitAnswer(Arguments):
    """Submit the open task. This is final: it cannot be changed afterwards.

    Cite every page that the answer rests on and no other. If a citation names a page that does
    not exist, nothing is submitted and the error says which; correct it and call again. Without
    an answer, give answer=[] with outcome "not_found" (looked for and not found) or, if open_task
    lists it, "unanswerable" (the documents do not contain the answer).
    """

    answer: Annotated[list[str], BeforeValidator(_parsed)] = Field(
        max_length=MAX_ANSWERS,
        description="the answer; several items if the question asks for several things",
    )
    citations: Annotated[list[Cited], BeforeValidator(_parsed)] = Field(
        default_factory=list, max_length=1_000, description="the pages that the answer rests on"
    )
    outcome: Outcome | None = Field(
        default=None, description='leave it out when there is an answer; else "not_found" etc.'
    )
    confidence: StatedConfidence | None = Field(
        default=None, description="how sure you are that the answer is right, from 0 to 1"
    )


class ReportUsage(Arguments):
    """Record what calls of your model used on the open task, for reports of cost.

    For the program that runs the model, which knows the numbers: never estimate them. Report every
    call, or all of them in one sum, before submit_answer.
    """

    model: str = Field(min_length=1, max_length=1_000, description="the model's name")
    calls: int = Field(default=1, ge=1, le=10**9, description="how many calls these numbers sum up")
    input_tokens: Tokens | None = Field(default=None, description="with cached tokens")
    cached_tokens: Tokens | None = Field(default=None, description="of these: read from the cache")
    cache_write_tokens: Tokens | None = Field(
        default=None, description="of the input: written to the cache"
    )
    output_tokens: Tokens | None = Field(default=None, description="with reasoning tokens")
    reasoning_tokens: Tokens | None = Field(default=None, description="of these: reasoning")
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False, description="dollars")
    latency_ms: int | None = Field(
        default=None, ge=0, le=10**12, description="time until the answer, milliseconds"
    )


class SkipTask(Arguments):
    """Skip the open task for good because it cannot be worked on, with the reason.

    Not finding the answer is no reason to skip: call submit_answer with outcome "not_found".
    """

    reason: str = Field(min_length=1, max_length=2_000, description="why it cannot be worked on")


class DrawBox(Arguments):
    """Draw a box around a region of a page, such as the evidence for the answer.

    Returns the box's id. Draw several boxes with several calls.
    """

    file: File = Field(description="the document's name")
    page: Page = Field(description="page number, from 1")
    box: Annotated[list[float], BeforeValidator(_parsed)] = Field(
        min_length=4,
        max_length=4,
        description="x0, y0, x1, y1 as fractions of the page's width and height, from its top left",
    )
    label: str | None = Field(
        default=None,
        max_length=60,
        description="one of the labels that open_task lists; may be left out if there is only one",
    )


class DeleteBox(Arguments):
    """Delete a box that you drew."""

    box: str = Field(min_length=1, max_length=100, description="the box's id, from draw_box")


class SetField(Arguments):
    """Set one of the fields that open_task lists, for the task or for one of its pages.

    Setting a field again replaces its value; null clears it.
    """

    field: str = Field(min_length=1, max_length=60, description="the field's name")
    value: Annotated[Value, BeforeValidator(_parsed)] = Field(
        description="an option's value, a list of them, a text, a number, true or false, or null"
    )
    file: File | None = Field(default=None, description="for a field of a page: its document")
    page: Page | None = Field(default=None, description="for a field of a page: its number")
