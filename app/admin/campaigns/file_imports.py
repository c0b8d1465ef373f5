"""Importing agents' runs, verdicts on answers and models' elements as background jobs."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import BadRequest, PagetrailError
from pagetrail.app.admin.actions import act, ask, asked, confirm
from pagetrail.app.admin.campaigns.campaign_summary import campaign_lines, later_changes
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES, save_files
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.database.job_states import Job
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.importers.tasks.element_importer import takes_elements
from pagetrail.storage.people.accounts import Person, audit

RUNS, ELEMENTS, VERDICTS = "import_run", "import_elements", "import_verdicts"
_NEW = "new_from_elements"
RUN_TYPES = ["jsonl", "ndjson", "json", "eval", "zip"]
ELEMENT_TYPES = ["jsonl", "ndjson", "json"]
_COLUMNS = ["file", "line", "id", "what", "reason"]
_PER = {"page": "One per page", "document": "One per document"}


def show_runs(app: Services, one: CampaignSummary) -> None:
    """An agent's run on an existing campaign's tasks."""
    st.caption(
        "Results of an agent on this campaign’s tasks: MADQA results, an Inspect log, ATIF "
        "trajectories, conversations as OpenAI has them, or LangChain traces. Each run is "
        "replayed, measured and exported like a person’s work."
    )
    busy = job_view(app, RUNS)
    _rows(app, RUNS, one.name)
    if one.status != "open":
        st.info(f"Runs cannot be imported into a campaign that is {one.status}. Reopen it first.")
        return
    system = st.text_input(
        "Name of the system", key=f"run-system-{one.name}", max_chars=60, width=320,
        placeholder="bm25-agent",
    )  # fmt: skip
    files = st.file_uploader(
        "Results, a zip, or all files of a folder of trajectories", type=RUN_TYPES,
        accept_multiple_files=True, key=f"run-files-{one.name}",
    )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        searches = st.text_input(
            "Tools that search", key=f"run-search-tools-{one.name}", placeholder="bm25_search",
            help="Beside search_documents; separate several by commas.",
        )  # fmt: skip
        others = st.text_input(
            "Tools that only look like it", key=f"run-other-tools-{one.name}",
            placeholder="web_search",
            help="An import with a tool that looks like a search and is in neither list stops.",
        )  # fmt: skip
    strict = st.toggle("Import nothing if anything would be left out", key=f"run-strict-{one.name}")
    st.button(
        "Import the runs", type="primary", key="run-import",
        disabled=busy or not files or not (system or "").strip(), on_click=_start,
        args=(
            RUNS, one.name, f"Importing runs of {system} into {one.name}", files,
            {
                "system": (system or "").strip(), "strict": strict,
                "search_tools": _names(searches), "other_tools": _names(others),
            },
        ),
    )  # fmt: skip


def show_verdicts(app: Services, one: CampaignSummary) -> None:
    """Verdicts on the campaign's answers that a judge or a data set gave elsewhere."""
    st.header("Verdicts from elsewhere", anchor=False)
    st.caption(
        "One row per answer with task, system and verdict (correct, partial or wrong). They are a "
        "set with a name; Results can go by it under “Verdicts of”."
    )
    busy = job_view(app, VERDICTS)
    _rows(app, VERDICTS, one.name)
    name = st.text_input(
        "Name of the set", key=f"verdicts-name-{one.name}", max_chars=MAX_CAMPAIGN_NAME, width=320,
        placeholder="gpt-judge",
    )  # fmt: skip
    file = st.file_uploader("Verdicts", type=TABLE_TYPES, key=f"verdicts-file-{one.name}")
    st.button(
        "Import the verdicts", type="primary", key="verdicts-import",
        disabled=busy or file is None or not (name or "").strip(), on_click=_start,
        args=(
            VERDICTS, one.name, f"Importing verdicts of {name} on {one.name}",
            [] if file is None else [file], {"name": (name or "").strip()},
        ),
    )  # fmt: skip


def show_elements(app: Services, one: CampaignSummary) -> None:
    """More tasks for an existing campaign, from a model's elements."""
    if takes_elements(protocol_of_campaign(app.workspace, one.name)):
        st.header("From a model’s elements", anchor=False)
        element_files(app, one.name, {}, "Add tasks from the elements")


def show_new_elements(
    app: Services, name: str, choice: ProtocolChoice, seed: int, guidelines: str, *, ready: bool
) -> None:
    """A new campaign from a model's elements, and the confirmation before it is created."""
    settings = {
        "protocol": choice.protocol.model_dump(mode="json"),
        "seed": seed,
        "guidelines": guidelines,
    }
    with st.expander("From a model’s elements instead", icon=":material/data_object:"):
        element_files(app, name, settings, "Check and create from the elements…", ready=ready)
    open_ = asked(_NEW)
    if open_ is not None:
        files = open_.details["files"]
        names = ", ".join(printable(file.name) for file in files)
        confirm(
            open_,
            f"Create “{open_.about}”?",
            [
                f"Its tasks come from the elements in {names}.",
                *campaign_lines(choice, guidelines),
                later_changes(pilot=choice.protocol.pilot.enabled),
            ],
            "Create the campaign",
            "element-create",
            _start_elements,
            open_.about,
            files,
            open_.details["options"],
            wide=True,
        )


def element_files(
    app: Services, campaign: str, made: Mapping[str, Any], label: str, *, ready: bool = True
) -> None:
    """The files with their options, and the job's outcome.

    Args:
        made: what a new campaign is made with; empty for an existing one.
        ready: whether everything else that is needed has been given.
    """
    busy = job_view(app, ELEMENTS)
    _rows(app, ELEMENTS, campaign)
    files = st.file_uploader(
        "Element files", type=ELEMENT_TYPES, accept_multiple_files=True,
        key=f"element-files-{bool(made)}",
        help="ParseBench, COCO, Label Studio, or JSON Lines of elements; recognised by content.",
    )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        per = st.selectbox("Tasks", list(_PER), format_func=_PER.__getitem__, key="element-per")
        document = st.text_input(
            "Document", key="element-document", placeholder="As the files say",
            help="The document of all elements, whatever the files say.",
        )  # fmt: skip
        annotator = st.text_input(
            "Annotator", key="element-annotator", placeholder="All",
            help="Of an export of several people: whose work to read.",
        )  # fmt: skip
    mapping = st.text_area(
        "Classes to read as others", key="element-map", height=80, placeholder="Caption=Text",
        help="One per line: class in the files = class of the campaign.",
    )  # fmt: skip
    skip = st.toggle("Leave out pages that already have a task", key="element-skip")
    options = {
        **made, "per": per, "document": (document or "").strip(),
        "annotator": (annotator or "").strip(), "mapping": mapping or "", "skip_bad": skip,
    }  # fmt: skip
    st.button(
        label,
        type="primary",
        key="element-import",
        disabled=busy or not files or not ready,
        on_click=_ask_first if made else _start_elements,
        args=(campaign, files, options),
    )


def _ask_first(campaign: str, files: Sequence[Any], options: dict[str, Any]) -> None:
    """Callback: show what the campaign will be before it is created."""
    ask(_NEW, campaign, files=files, options=options)


def _start_elements(campaign: str, files: Sequence[Any], options: dict[str, Any]) -> None:
    """Callback: start the import."""
    _start(ELEMENTS, campaign, f"Importing elements into {campaign}", files, options)


def _start(
    kind: str, campaign: str, title: str, files: Sequence[Any], options: dict[str, Any]
) -> None:
    """Callback: keep the files where the job's process finds them, and start it."""

    def do(app: Services, person: Person) -> str | None:
        order = {**options, "do": kind, "campaign": campaign}
        if "mapping" in order:
            order["mapping"] = _mapping(order["mapping"])
        place = app.workspace.root / "imports"
        place.mkdir(exist_ok=True)
        folder = Path(mkdtemp(dir=place))

        def ended(job: Job) -> None:
            audit(app.workspace, job.by, f"{kind}_{job.state}", f"{title}: {job.message}")

        try:
            save_files(folder, files)
            app.jobs.start(kind, title, person.name, {**order, "folder": str(folder)}, ended)
        except PagetrailError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        names = ", ".join(printable(file.name) for file in files)
        audit(app.workspace, person.name, f"{kind}_started", f"{title}: {names}")
        return None

    act("import files", do)


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _mapping(text: str) -> dict[str, str]:
    pairs = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        old, equals, new = line.rpartition("=")
        if not equals or not old.strip() or not new.strip():
            raise BadRequest(f"“{line[:80]}” is not of the form class=class.")
        pairs[old.strip()] = new.strip()
    return pairs


def _rows(app: Services, kind: str, campaign: str) -> None:
    """What the last import left out, where it was into this campaign."""
    job = app.jobs.last(kind)
    if job is None or job.result.get("campaign") != campaign or not job.result.get("rows"):
        return
    rows = job.result["rows"]
    st.dataframe(
        pd.DataFrame(rows, columns=_COLUMNS).astype(str),
        hide_index=True,
        height=min(300, 38 + 35 * len(rows)),
        column_config={"reason": st.column_config.TextColumn(width="large")},
    )
