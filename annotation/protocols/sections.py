"""The parts of the workspace screen that a protocol switches on, each with its settings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.check_results import CheckName
from pagetrail.annotation.protocols.fields import Condition, FieldName, HotKey
from pagetrail.annotation.protocols.option_labels import OptionLabels

LABEL_KEYS = "123456789"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SearchPart(_Part):
    """The search bar. With all aids off, people see what agents see: ranked pages only."""

    enabled: bool = Field(
        title=N_("Annotators can search"), default=True, description=N_("the search bar is there")
    )
    top_k: int = Field(
        title=N_("Pages per search"), default=5, ge=1, le=100, description=N_("pages per search")
    )
    snippets: bool = Field(
        title=N_("Show the matching text under each result"),
        default=False,
        description=N_("matching text under each result"),
    )
    highlights: bool = Field(
        title=N_("Outline matched words on pages"),
        default=False,
        description=N_("matched words outlined on the page"),
    )
    suggestions: bool = Field(
        title=N_("Suggest another spelling when nothing is found"),
        default=False,
        description=N_('"did you mean" after an empty result'),
    )


class EvidencePart(_Part):
    """Citing pages."""

    enabled: bool = Field(
        title=N_("Pages can be cited"), default=True, description=N_("pages can be cited")
    )
    required: bool = Field(
        title=N_("An answer needs a cited page"),
        default=True,
        description=N_("an answer needs at least one citation"),
    )
    max_pages: int = Field(
        title=N_("Most cited pages per task"),
        default=100,
        ge=1,
        le=1_000,
        description=N_("citations per task"),
    )


class AnswerPart(_Part):
    """The answer box."""

    kind: Annotated[
        Literal["off", "list", "text"],
        OptionLabels(
            {"off": N_("no answer"), "list": N_("a list, one answer per line"), "text": N_("prose")}
        ),
    ] = Field(
        title=N_("Form of the answer"),
        default="list",
        description=N_("no answer box, one answer per line, or prose"),
    )
    unanswerable: bool = Field(
        title=N_("Offer “Unanswerable”"),
        default=False,
        description=N_("whether the annotator may declare the question unanswerable"),
    )
    not_found: bool = Field(
        title=N_("Offer “No answer found”"),
        default=True,
        description=N_("whether “No answer found” may be submitted"),
    )
    relative_tolerance: float | None = Field(
        title=N_("Tolerance, as a share of the gold"),
        default=None,
        ge=0,
        le=1,
        description=N_(
            "largest difference of a correct number from the gold, as a share of the gold"
        ),
    )
    absolute_tolerance: float | None = Field(
        title=N_("Tolerance, in the gold’s unit"),
        default=None,
        ge=0,
        description=N_(
            "the same as a number in the gold’s own unit: of “5.2 million”, 0.1 is 100,000"
        ),
    )


class TextPart(_Part):
    """The text of pages. With all off, people see what agents see: images of pages."""

    select: bool = Field(
        title=N_("Words can be copied from pages"),
        default=False,
        description=N_(
            "words of pages can be selected and copied, also into the answer; each copy is an event"
        ),
    )
    find: bool = Field(
        title=N_("A text can be found in the open document"),
        default=False,
        description=N_("a text can be looked for in the open document; each time is an event"),
    )
    spoken: bool = Field(
        title=N_("Screen readers can read pages"),
        default=True,
        description=N_(
            "a page’s text is given to a screen reader on request; each page is an event. Off "
            "only where nobody should have the text, as when questions are written blind"
        ),
    )

    @property
    def is_available(self) -> bool:
        """Whether people see more of a page's text than its image."""
        return self.select or self.find


class AidsPart(_Part):
    """Aids that agents do not have. Bookmarks and scratchpad link the tasks of a batch."""

    bookmarks: bool = Field(
        title=N_("Pages can be bookmarked for all tasks of a batch"),
        default=False,
        description=N_(
            "pages can be bookmarked; a bookmark is there in all tasks of the batch, and each "
            "change is an event"
        ),
    )
    scratchpad: bool = Field(
        title=N_("A scratchpad goes with annotators through a batch"),
        default=False,
        description=N_(
            "a text that is the same in all tasks of the batch; each change is an event"
        ),
    )
    calculator: bool = Field(
        title=N_("Annotators have a calculator"),
        default=False,
        description=N_(
            "a calculator, which takes numbers from selected words where `text.select` is on; each "
            "calculation is an event"
        ),
    )

    @property
    def link_tasks(self) -> bool:
        """Whether work on one task shows in others."""
        return self.bookmarks or self.scratchpad


class ClockPart(_Part):
    """The clock in the sidebar."""

    visible: bool = Field(
        title=N_("Show the working time"), default=True, description=N_("the working time is shown")
    )
    pause: bool = Field(
        title=N_("The clock can be paused"), default=True, description=N_("the clock can be paused")
    )
    limit_s: int | None = Field(
        title=N_("Time limit per task, in seconds"),
        default=None,
        ge=10,
        le=86_400,
        description=N_(
            "seconds after which a task takes no more edits, only its submission, finished "
            "or not; pauses and hidden tabs do not count"
        ),
    )


class BoxLabel(_Part):
    """One class that a box may have."""

    name: str = Field(min_length=1, max_length=60, description=N_("as shown, stored and exported"))
    key: HotKey | None = Field(default=None, description=N_("key; the first nine have 1–9"))
    help: str = Field(default="", max_length=1_000, description=N_("what it means"))


class BoxesPart(_Part):
    """Boxes on pages, drawn by hand or given by a model and verified."""

    enabled: bool = Field(
        title=N_("Pages have boxes"),
        default=False,
        description=N_("boxes can be drawn, or are given"),
    )
    labels: tuple[BoxLabel, ...] = Field(default=(), max_length=50, description=N_("the classes"))
    max_per_page: int = Field(
        title=N_("Most boxes per page"),
        default=100,
        ge=1,
        le=2_000,
        description=N_("boxes per page"),
    )
    max_per_task: int = Field(
        title=N_("Most boxes per task"),
        default=1_000,
        ge=1,
        le=5_000,
        description=N_("boxes per task"),
    )
    min_size: float = Field(
        title=N_("Shortest side of a drawn box, in points"),
        default=3.0,
        ge=0.1,
        le=200,
        description=N_("shortest side of a drawn box, points"),
    )
    when: Condition | None = Field(default=None, description=N_("pages that may have boxes"))
    required: bool = Field(
        title=N_("Each page that may have boxes needs one"),
        default=False,
        description=N_("each page that may have boxes needs at least one"),
    )
    seed: bool = Field(
        title=N_("Start from a model’s boxes"),
        default=False,
        description=N_("a model's elements are given to be verified"),
    )
    add: bool = Field(
        title=N_("Annotators can draw boxes"),
        default=True,
        description=N_("whether the annotator may draw boxes"),
    )
    check_all: bool = Field(
        title=N_("Each given box must be judged"),
        default=False,
        description=N_(
            "each given element must be accepted, corrected or deleted before submitting"
        ),
    )
    content: bool = Field(
        title=N_("Boxes have a text"),
        default=False,
        description=N_("a box has a text that can be corrected"),
    )
    fill: bool = Field(
        title=N_("Fill a box’s text with the words under it"),
        default=False,
        description=N_(
            "the page’s words under a drawn or moved box become its text, unless somebody wrote one"
        ),
    )
    order: bool = Field(
        title=N_("Boxes have a reading order"),
        default=False,
        description=N_("a box has a place in the reading order"),
    )
    attributes: bool = Field(
        title=N_("Boxes have attributes"),
        default=False,
        description=N_("a box has named attributes"),
    )
    snap: bool = Field(
        title=N_("Edges snap to words"),
        default=True,
        description=N_("edges can snap to words; each person may not"),
    )

    @model_validator(mode="after")
    def _consistent(self) -> BoxesPart:
        names = [label.name for label in self.labels]
        problems = ["boxes need at least one label"] if self.enabled and not names else []
        for part, values in (("label", names), ("key", [k for k in self.keys().values() if k])):
            repeated = {value for value in values if values.count(value) > 1}
            if repeated:
                problems.append(f"the {part} {min(repeated)!r} is there twice")
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def keys(self) -> dict[str, str | None]:
        """The key of each label, by its name."""
        used_keys = {label.key for label in self.labels if label.key}
        free = (key for key in LABEL_KEYS if key not in used_keys)
        return {label.name: label.key or next(free, None) for label in self.labels}


class TranscriptPart(_Part):
    """The text of a page in Markdown, as a model wrote it, to be corrected beside the page."""

    enabled: bool = Field(
        title=N_("Tasks have a text to correct"),
        default=False,
        description=N_("each task has one page and its text (`transcript`), which can be edited"),
    )
    patches: bool = Field(
        title=N_("Show the changes that models propose"),
        default=True,
        description=N_(
            "a model’s patches are shown in the text, and each is accepted or rejected before "
            "submitting"
        ),
    )


class TablesPart(_Part):
    """Tables of a page as a model read them, corrected as grids or flagged for a model to fix."""

    enabled: bool = Field(
        title=N_("Tasks have tables to verify"),
        default=False,
        description=N_("each task has tables (`tables`), which are shown as grids"),
    )
    edit: bool = Field(
        title=N_("Tables can be corrected in place"),
        default=True,
        description=N_(
            "texts, headers, rows, columns and merged cells can be changed; otherwise cells are "
            "only flagged"
        ),
    )


class QuestionPart(_Part):
    """The question in the blue box."""

    kind: Annotated[
        Literal["shown", "editable"],
        OptionLabels({"shown": N_("given"), "editable": N_("written by the annotator")}),
    ] = Field(
        title=N_("The question is"),
        default="shown",
        description=N_("shown, or the annotator writes one and the blue box holds the brief"),
    )
    checks: bool = Field(
        title=N_("Check the written question as it is typed"),
        default=False,
        description=N_("live checks of the written question"),
    )
    prefilled: bool = Field(
        title=N_("The editor starts with the task’s question"),
        default=False,
        description=N_("the task's question is given in the editor, to be confirmed or changed"),
    )
    blocking: Annotated[
        tuple[CheckName, ...],
        OptionLabels(
            {
                "giveaway": N_("self-contained"),
                "extractive": N_("answer on the cited pages"),
                "agentic": N_("search effort"),
                "overlap": N_("low word overlap"),
                "duplicate": N_("not asked before"),
                "minimality": N_("minimal evidence"),
            }
        ),
    ] = Field(
        title=N_("Checks that must pass before submitting"),
        default=(),
        description=N_("checks whose warning blocks submitting"),
    )
    draw: dict[
        FieldName,
        Annotated[
            dict[Annotated[str, Field(max_length=60)], Annotated[float, Field(ge=0.001, le=1_000)]],
            Field(min_length=1, max_length=100),
        ],
    ] = Field(
        default_factory=dict,
        max_length=10,
        description=N_(
            "what questions are asked for, drawn at random for each task: a field’s options with "
            "their weights. Authors see what their task asks for, and how many of them the "
            "campaign has"
        ),
    )
    multi_hop_target: float | None = Field(
        title=N_("Expected share of questions on several pages"),
        default=None,
        ge=0,
        le=1,
        description=N_("wanted share of questions on several pages"),
    )


class Material(_Part):
    """A part of the task's record that is shown next to the question.

    Nothing else of a record ever reaches an annotator.
    """

    source: Literal[
        "response", "gold_answers", "prediction", "summary", "description", "request", "original"
    ] = Field(
        description=N_(
            "response: the answer under review; gold_answers: accepted answers; "
            "prediction: a system's answer, without the system; summary, description: what to "
            "write about; request: the type and format asked for; original: the question of "
            "which the task's is a variant"
        )
    )
    title: str = Field(min_length=1, max_length=120, description=N_("heading over it"))
    after: tuple[str, ...] = Field(
        default=(), description=N_("task fields that must be set before this is shown")
    )


class PrefilterPart(_Part):
    """A model's page scores, by which tasks get their pages. Graders never see them."""

    model: str = Field(
        title=N_("Model that scored the pages"),
        default="",
        max_length=200,
        description=N_("name of the model that scored the pages, for reports"),
    )
    cut: float | None = Field(
        title=N_("Pages are graded from this score on"),
        default=None,
        allow_inf_nan=False,
        description=N_(
            "pages with this score or a higher one are graded; none: each task lists them as its "
            "candidates"
        ),
    )
    sample_rate: float = Field(
        title=N_("Share of the other pages that is graded, too"),
        default=0.05,
        ge=0,
        le=1,
        description=N_(
            "share of the pages below the cut that is drawn at random and graded among the others, "
            "by which the pre-filter’s recall is estimated"
        ),
    )


class PilotPart(_Part):
    """A pilot: tasks with gold, feedback after each, and a mark to pass."""

    enabled: bool = Field(
        title=N_("This campaign is a pilot"),
        default=False,
        description=N_("this campaign is a pilot"),
    )
    feedback: bool = Field(
        title=N_("Show the gold after each task"),
        default=True,
        description=N_("gold is shown after a task is submitted"),
    )
    pass_mark: float = Field(
        title=N_("Share of tasks right to pass"),
        default=1.0,
        ge=0,
        le=1,
        description=N_("share of the pilot's tasks that must be right"),
    )


class ReviewPart(_Part):
    """When people's work on a task counts as agreed, and what is kept of it."""

    accept: Annotated[
        Literal["agreed", "majority", "off"],
        OptionLabels(
            {
                "agreed": N_("tasks on which everybody agrees"),
                "majority": N_("tasks on which more than half agree"),
                "off": N_("nothing: every task is looked at"),
            }
        ),
    ] = Field(
        title=N_("Accept automatically"),
        default="agreed",
        description=N_(
            "agreed: a task on which everybody agrees in all parts becomes gold "
            "automatically; majority: one on which more than half of them agree with each "
            "other in all parts; off: every task is looked at"
        ),
    )
    people: int = Field(
        title=N_("Annotators who must agree"),
        default=2,
        ge=1,
        le=100,
        description=N_("people who must agree on it"),
    )
    answer: float = Field(
        title=N_("Answers agree from (ANLS*)"),
        default=1.0,
        ge=0,
        le=1,
        description=N_("ANLS* from which two answers with the same numbers agree"),
    )
    pages: float = Field(
        title=N_("Cited pages agree from (Jaccard)"),
        default=1.0,
        ge=0,
        le=1,
        description=N_("Jaccard index from which two sets of pages agree"),
    )
    boxes: float = Field(
        title=N_("Boxes agree from (IoU)"),
        default=0.5,
        ge=0,
        le=1,
        description=N_("IoU on a page from which two people's boxes agree"),
    )
    steps: int = Field(
        title=N_("Steps by which grades may differ"),
        default=0,
        ge=0,
        le=100,
        description=N_("steps by which two values of a scale may differ"),
    )
    parts: dict[str, Annotated[float, Field(ge=0, le=1)]] = Field(
        default_factory=dict,
        description=N_(
            "largest difference at which two people agree in a part, instead of the four "
            "above: `outcome`, `answer`, `evidence`, `boxes`, `content`, `order`, `question` or a "
            "field’s name; 1 leaves the part out of it"
        ),
    )
    keep: int = Field(
        title=N_("Annotators who must mark a page to keep it"),
        default=2,
        ge=1,
        le=100,
        description=N_(
            "annotators who must have marked a page, by citing it or grading it above 0, "
            "for it to stay; a page that fewer have marked is open until a reviewer marks or "
            "rejects it"
        ),
    )
    skipped: Annotated[
        Literal["supervisor", "next"],
        OptionLabels({"supervisor": N_("a supervisor"), "next": N_("the next annotator")}),
    ] = Field(
        title=N_("Skipped tasks go to"),
        default="supervisor",
        description=N_(
            "who gets a task that somebody skipped: a supervisor, or the next annotator; "
            "one that three people skipped goes to a supervisor"
        ),
    )
    errors: tuple[Annotated[str, Field(min_length=1, max_length=60)], ...] = Field(
        default=(), max_length=30, description=N_("kinds of error that a decision can name")
    )
    confidence: bool = Field(
        title=N_("Reviewers say how sure they are"),
        default=False,
        description=N_("a decision says how sure its reviewer is"),
    )
    hide_names: bool = Field(
        title=N_("Hide annotators’ names from reviewers"),
        default=False,
        description=N_(
            "reviewers see letters, other ones in each task, instead of annotators’ names; "
            "Progress, replays and exports keep the names"
        ),
    )
    hide_drafts: float = Field(
        title=N_("Share of tasks whose drafts are hidden until decided"),
        default=0.0,
        ge=0,
        le=1,
        description=N_(
            "share of the tasks, drawn at random, in which reviewers see models’ drafts only after "
            "their first decision, to measure how far drafts influence them: 0 shows all drafts, "
            "1 hides all"
        ),
    )
    check_share: float = Field(
        title=N_("Share of accepted tasks to check"),
        default=0.1,
        ge=0,
        le=1,
        description=N_("share of the automatically accepted tasks that is drawn to be checked"),
    )
    control_share: float = Field(
        title=N_("Share of unsuspected gold to check"),
        default=0.05,
        ge=0,
        le=1,
        description=N_(
            "share of the tasks whose gold nothing speaks against that is mixed into suspect gold, "
            "to estimate the errors that remain"
        ),
    )
    families: dict[
        Annotated[str, Field(min_length=1, max_length=60)],
        Annotated[
            tuple[Annotated[str, Field(min_length=1, max_length=100)], ...], Field(max_length=100)
        ],
    ] = Field(
        default_factory=dict,
        max_length=100,
        description=N_(
            "systems that count as one participant when gold is checked: names by family, where "
            "`*` stands for any text"
        ),
    )


BoundedName = Annotated[str, Field(min_length=1, max_length=100)]
