"""Settings that can change later: a campaign's review rule, overlap and hidden checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import pandas as pd
import streamlit as st
from pydantic import BaseModel

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.app.admin.actions import action_button
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.batches.changeable_settings import (
    QUALITY,
    change_settings,
    changeable_settings,
)
from pagetrail.storage.batches.quality_preview import GoldSources, gold_sources, quality_preview
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.importers.tasks.gold_copy import copy_gold
from pagetrail.storage.people.accounts import Person

_ACCEPT_LABELS = {
    "agreed": N_("tasks on which everybody agrees"),
    "majority": N_("tasks on which more than half agree"),
    "off": N_("nothing: every task is reviewed"),
}
_SKIPPED_LABELS = {"supervisor": N_("a supervisor"), "next": N_("the next annotator")}
_LARGEST_DIFFERENCE = N_("Largest difference")

_RATES = {"gold_rate": N_("Hidden gold per task"), "repeat_rate": N_("Repeats per task")}
_COUNTS = {"repeat_gap": N_("Tasks before a repeat"), "alert_from": N_("Alerts from, tasks")}
_ALERTS = {
    "alert_gold": N_("Alert below, right on gold"),
    "alert_consistency": N_("Alert below, self-consistent"),
    "alert_speed": N_("Alert below, time of others"),
}


@dataclass(frozen=True)
class SettingsForm:
    """A form for some of a campaign's settings; saving compares with what was shown.

    Attributes:
        stored: the settings as shown, by dotted key.
        prefix: of the keys of its widgets; it changes once another window has saved.
    """

    app: Services
    person: Person
    campaign: str
    protocol: Protocol
    stored: dict[str, Any]
    prefix: str

    @classmethod
    def begin(
        cls, app: Services, person: Person, campaign: CampaignSummary, name: str
    ) -> Self | None:
        """The form; None, with the reason on the screen, if the campaign can only be read."""
        if campaign.status == ARCHIVED:
            st.info(
                gettext(
                    "A campaign that is {status} can only be read. Reopen it first.",
                    status=gettext(campaign.status),
                )
            )
            return None
        protocol = protocol_of_campaign(app.workspace, campaign.name)
        stored = changeable_settings(protocol)
        prefix = f"{name}-{campaign.name}-{abs(hash(repr(stored)))}"
        return cls(app, person, campaign.name, protocol, stored, prefix)

    def changes(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings that differ from the stored ones."""
        return {key: value for key, value in settings.items() if value != self.stored.get(key)}

    def save_button(
        self, key: str, changes: dict[str, Any], success_message: str, *, disabled: bool = False
    ) -> None:
        """A button that saves changes."""
        action_button(
            gettext("Save"),
            key,
            self.app,
            self.person,
            lambda: change_settings(
                self.app.workspace,
                self.person,
                self.campaign,
                changes,
                expected_values=self.stored,
            ),
            success_message,
            disabled=disabled or not changes,
            is_primary=True,
        )


def show_review_rule(app: Services, person: Person, campaign: CampaignSummary) -> None:
    """Show when tasks are accepted, who reviews them and what reviewers state."""
    form = SettingsForm.begin(app, person, campaign, "rule")
    if form is None:
        return
    protocol, prefix = form.protocol, form.prefix
    settings = {
        **_acceptance_inputs(protocol, prefix),
        **_threshold_inputs(protocol, prefix),
        **_decision_inputs(protocol, prefix),
        **_suspect_gold_inputs(protocol, prefix),
        **_part_thresholds(protocol, prefix),
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        form.save_button(
            "rule-save",
            form.changes(settings),
            gettext(
                "Saved. The open tasks of {campaign} are compared again.", campaign=campaign.name
            ),
        )
        st.caption(
            gettext(
                "Tasks that are not decided are compared again by the new rule. Gold stays as it "
                "is; to have a task decided again, reopen its gold."
            )
        )


def _acceptance_inputs(protocol: Protocol, prefix: str) -> dict[str, Any]:
    rule = protocol.review
    rule_column, people_column, check_column, overlap_column = st.columns(
        [4, 2, 2, 2], vertical_alignment="bottom"
    )
    return {
        "review.accept": rule_column.selectbox(
            gettext("Accept automatically"),
            list(_ACCEPT_LABELS),
            index=list(_ACCEPT_LABELS).index(rule.accept),
            format_func=lambda rule: gettext(_ACCEPT_LABELS[rule]),
            key=f"{prefix}-accept",
            help=_help(ReviewPart, "accept"),
        ),
        "review.people": people_column.number_input(
            gettext("Annotators who agree"),
            1,
            100,
            rule.people,
            key=f"{prefix}-people",
            help=_help(ReviewPart, "people"),
        ),
        "review.check_share": _proportion_input(
            check_column, gettext("Share to check"), rule, "check_share", prefix
        ),
        "overlap": overlap_column.number_input(
            gettext("Annotators per task"),
            1,
            100,
            protocol.overlap,
            key=f"{prefix}-overlap",
            help=gettext(
                "The campaign’s overlap. More leave free slots: assign them under Batches."
            ),
        ),
    }


def _threshold_inputs(protocol: Protocol, prefix: str) -> dict[str, Any]:
    rule = protocol.review
    thresholds: dict[str, Any] = {}
    fields: list[tuple[str, str]] = []
    if protocol.answer.kind != "off":
        fields.append(("answer", gettext("Answers agree from (ANLS\\*)")))
    if protocol.evidence.enabled:
        fields.append(("pages", gettext("Pages agree from (Jaccard)")))
    if protocol.boxes.enabled:
        fields.append(("boxes", gettext("Boxes agree from (IoU)")))
    if any(spec.kind == "ordinal" for spec in protocol.fields):
        fields.append(("steps", gettext("Steps scales may differ by")))
    if protocol.evidence.enabled or any(s.kind == "ordinal" for s in protocol.scoped("page")):
        fields.append(("keep", gettext("Annotators for a page to stay")))
    for column, (name, label) in zip(st.columns(5), fields, strict=False):
        if name in ("steps", "keep"):
            thresholds[f"review.{name}"] = column.number_input(
                label,
                0 if name == "steps" else 1,
                100,
                getattr(rule, name),
                key=f"{prefix}-{name}",
                help=_help(ReviewPart, name),
            )
        else:
            thresholds[f"review.{name}"] = _proportion_input(column, label, rule, name, prefix)
    return thresholds


def _decision_inputs(protocol: Protocol, prefix: str) -> dict[str, Any]:
    """Who gets skipped tasks, and what reviewers state besides the reason."""
    rule = protocol.review
    skipped_column, errors_column, names_column = st.columns([4, 4, 3], vertical_alignment="top")
    error_kinds = errors_column.text_area(
        gettext("Kinds of error, one per line"),
        "\n".join(rule.errors),
        key=f"{prefix}-errors",
        height=104,
        help=gettext("Reviewers can name some of them with a decision; they are exported with it."),
    )
    hide_names = names_column.toggle(
        gettext("Hide annotators’ names"),
        rule.hide_names,
        key=f"{prefix}-hide_names",
        help=gettext(
            "Reviewers see Annotator A, Annotator B, … in the queue and in tasks, other "
            "letters in each task, and no link to the replay. This blinds the judgement; it is "
            "no access control: Progress, Results, Replay and exports keep the names."
        ),
    )
    return {
        "review.hide_names": hide_names,
        "review.hide_drafts": _proportion_input(
            skipped_column,
            gettext("Share of tasks whose drafts are hidden until decided"),
            rule,
            "hide_drafts",
            prefix,
        ),
        "review.skipped": skipped_column.selectbox(
            gettext("Skipped tasks go to"),
            list(_SKIPPED_LABELS),
            index=list(_SKIPPED_LABELS).index(rule.skipped),
            format_func=lambda choice: gettext(_SKIPPED_LABELS[choice]),
            key=f"{prefix}-skipped",
            help=_help(ReviewPart, "skipped"),
        ),
        "review.errors": list(
            dict.fromkeys(line.strip() for line in error_kinds.splitlines() if line.strip())
        ),
        "review.confidence": names_column.toggle(
            gettext("Reviewers say how sure they are"),
            rule.confidence,
            key=f"{prefix}-confidence",
            help=gettext("High, medium or low, with each decision; exported with it."),
        ),
    }


def _suspect_gold_inputs(protocol: Protocol, prefix: str) -> dict[str, Any]:
    """The control sample, and which systems count as one participant."""
    rule = protocol.review
    share_column, families_column = st.columns([4, 7], vertical_alignment="top")
    family_lines = families_column.text_area(
        gettext("Families of systems, one per line"),
        "\n".join(f"{family}: {', '.join(names)}" for family, names in rule.families.items()),
        key=f"{prefix}-families",
        height=104,
        help=gettext(
            "For suspect gold: the systems of a family count as one participant. Write the "
            "family, a colon and names; * stands for any text."
        ),
    )
    return {
        "review.control_share": _proportion_input(
            share_column, gettext("Share of other gold to check"), rule, "control_share", prefix
        ),
        "review.families": _parse_families(family_lines),
    }


def _parse_families(lines: str) -> dict[str, list[str]]:
    families: dict[str, list[str]] = {}
    for line in lines.splitlines():
        family, _, names = line.partition(":")
        patterns = [name.strip() for name in names.split(",") if name.strip()]
        if family.strip():
            families.setdefault(family.strip(), []).extend(patterns)
    return families


def _part_thresholds(protocol: Protocol, prefix: str) -> dict[str, Any]:
    """Thresholds of single parts; an empty cell uses the general thresholds."""
    parts = review_parts(protocol)
    part_thresholds = protocol.review.parts
    with st.expander(gettext("Thresholds of single parts"), expanded=bool(part_thresholds)):
        st.caption(
            gettext(
                "The largest difference, from 0 (the same) to 1 (nothing in common), at which two "
                "annotators still agree in a part. At 1 the part never holds up a task. Empty: the "
                "numbers above."
            )
        )
        table = st.data_editor(
            pd.DataFrame(
                {
                    N_("Part"): [gettext(label) for label in parts.values()],
                    _LARGEST_DIFFERENCE: [part_thresholds.get(part) for part in parts],
                },
                dtype=object,
            ).astype({_LARGEST_DIFFERENCE: "float64"}),
            hide_index=True,
            disabled=["Part"],
            key=f"{prefix}-parts",
            width=520,
            column_config={
                _LARGEST_DIFFERENCE: st.column_config.NumberColumn(
                    gettext(_LARGEST_DIFFERENCE),
                    min_value=0.0,
                    max_value=1.0,
                    step=0.01,
                    format="%.2f",
                ),
                "Part": gettext("Part"),
            },
        )
    values = table[_LARGEST_DIFFERENCE].tolist()
    return {
        f"review.parts.{part}": None if pd.isna(value) else float(value)
        for part, value in zip(parts, values, strict=True)
    }


def show_hidden_checks(app: Services, person: Person, campaign: CampaignSummary) -> None:
    """Show hidden gold, repeated tasks and alerts of future batches, and what changes would do."""
    form = SettingsForm.begin(app, person, campaign, "checks")
    if form is None:
        return
    st.caption(
        gettext(
            "Tasks with known answers, and tasks that a person has already done, are mixed "
            "into batches. Annotators cannot tell them from others. Results are under "
            "Progress, Quality."
        )
    )
    sources = gold_sources(app.workspace, campaign.name)
    settings = _quality_inputs(form.protocol.quality, sources, form.prefix)
    changes = form.changes(settings)
    problem = None
    try:
        QualityPart(**{key.removeprefix(QUALITY): value for key, value in settings.items()})
        consequences = quality_preview(app.workspace, campaign.name, changes).sentences
    except ValueError:
        problem, consequences = (
            gettext("Choose where hidden gold comes from, or set its rate to 0."),
            [],
        )
    except PagetrailError as error:
        problem, consequences = error.message, []
    if problem:
        st.warning(literal(problem))
    elif changes or form.protocol.quality.rate:
        st.markdown(gettext("**What it does**"))
        st.markdown("\n".join(f"* {literal(sentence)}" for sentence in consequences))
    form.save_button(
        "checks-save",
        changes,
        gettext(
            "Saved. Applies to batches of {campaign} assigned from now on.", campaign=campaign.name
        ),
        disabled=problem is not None,
    )
    if sources.unsafe:
        _show_gold_copy(app, person, sources.unsafe)


def _show_gold_copy(app: Services, person: Person, unsafe: dict[str, int]) -> None:
    """Show a form that copies gold out of campaigns that cannot be a source themselves."""
    with st.expander(gettext("Gold in pilots and open campaigns"), icon=":material/content_copy:"):
        st.caption(
            gettext(
                "Hidden gold comes from closed campaigns only. In pilots and open campaigns, "
                "annotators could meet the same tasks and their gold. Close the campaign, or copy "
                "its gold into a closed one. Nobody gets a check that they have in another "
                "campaign, and nobody gets their checks there later."
            )
        )
        source_column, name_column, button_column = st.columns(
            [4, 4, 2], vertical_alignment="bottom"
        )
        campaign = source_column.selectbox(
            gettext("Copy gold from"),
            list(unsafe),
            format_func=lambda name: gettext(
                "{name} ({tasks} tasks with gold)", name=name, tasks=format_number(unsafe[name])
            ),
            key="gold-copy-from",
        )
        copy_name = name_column.text_input(
            gettext("Name of the copy"),
            f"{campaign} gold"[:MAX_CAMPAIGN_NAME],
            max_chars=MAX_CAMPAIGN_NAME,
            key=f"gold-copy-to-{campaign}",
        ).strip()
        with button_column:
            action_button(
                gettext("Copy"),
                "gold-copy",
                app,
                person,
                lambda: copy_gold(app.workspace, person, campaign, copy_name),
                gettext(
                    "Copied to {new}, which is closed. Choose it as the source.", new=copy_name
                ),
                icon=":material/content_copy:",
                disabled=not copy_name,
            )


def _quality_inputs(quality: QualityPart, sources: GoldSources, prefix: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    names = list(sources.usable)
    tasks = sources.usable | sources.unsafe
    if quality.gold_from is not None and quality.gold_from not in names:
        names.append(quality.gold_from)
    source_column, *rate_columns = st.columns([4, 2, 2, 2], vertical_alignment="bottom")
    settings["gold_from"] = source_column.selectbox(
        gettext("Hidden gold from"),
        names,
        index=None if quality.gold_from is None else names.index(quality.gold_from),
        format_func=lambda name: gettext(
            "{name} ({tasks} tasks with gold)", name=name, tasks=format_number(tasks.get(name, 0))
        ),
        placeholder=gettext("No hidden gold")
        if names
        else gettext("No closed campaign has gold for this one"),
        key=f"{prefix}-gold_from",
        help=_help(QualityPart, "gold_from"),
    )
    for column, (name, label) in zip(rate_columns, _RATES.items(), strict=False):
        settings[name] = _proportion_input(column, gettext(label), quality, name, prefix, 0.5)
    number_columns = st.columns([2, 2, 2, 2, 2], vertical_alignment="bottom")
    for column, (name, label) in zip(number_columns, _COUNTS.items(), strict=False):
        settings[name] = column.number_input(
            gettext(label),
            5 if name == "alert_from" else 1,
            1_000,
            getattr(quality, name),
            key=f"{prefix}-{name}",
            help=_help(QualityPart, name),
        )
    for column, (name, label) in zip(number_columns[len(_COUNTS) :], _ALERTS.items(), strict=True):
        settings[name] = _proportion_input(column, gettext(label), quality, name, prefix)
    return {f"{QUALITY}{name}": value for name, value in settings.items()}


def _proportion_input(
    column: Any, label: str, section: BaseModel, name: str, prefix: str, maximum: float = 1.0
) -> float:
    return float(
        column.number_input(
            label,
            0.0,
            maximum,
            float(getattr(section, name)),
            0.05,
            format="%g",
            key=f"{prefix}-{name}",
            help=_help(type(section), name),
        )
    )


def _help(section: type[BaseModel], name: str) -> str:
    description = section.model_fields[name].description or ""
    return literal(gettext(description))
