"""Settings of hidden gold, repeated tasks and alerts, which apply to future batches."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.app.admin.actions import run_action
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

_RATES = {"gold_rate": N_("Hidden gold per task"), "repeat_rate": N_("Repeats per task")}
_COUNTS = {"repeat_gap": N_("Tasks before a repeat"), "alert_from": N_("Alerts from, tasks")}
_ALERTS = {
    "alert_gold": N_("Alert below, right on gold"),
    "alert_consistency": N_("Alert below, self-consistent"),
    "alert_speed": N_("Alert below, time of others"),
}


def show_hidden_checks(app: Services, person: Person, campaign: CampaignSummary) -> None:
    """The form, and the effect of its changes."""
    if campaign.status == ARCHIVED:
        st.info(
            gettext(
                "A campaign that is {status} can only be read. Reopen it first.",
                status=gettext(campaign.status),
            )
        )
        return
    protocol = protocol_of_campaign(app.workspace, campaign.name)
    st.caption(
        gettext(
            "Tasks with known answers, and tasks that a person has already done, are mixed "
            "into batches. Annotators cannot tell them from others. Results are under "
            "Progress, Quality."
        )
    )
    stored = changeable_settings(protocol)
    prefix = (
        f"checks-{campaign.name}-{abs(hash(repr(stored)))}"  # shows what another window has saved
    )
    sources = gold_sources(app.workspace, campaign.name)
    settings = _form(protocol, sources, prefix)
    changes = {key: value for key, value in settings.items() if value != stored[key]}
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
    elif changes or protocol.quality.rate:
        st.markdown(gettext("**What it does**"))
        st.markdown("\n".join(f"* {literal(sentence)}" for sentence in consequences))
    st.button(
        gettext("Save"),
        type="primary",
        key="checks-save",
        disabled=not changes or problem is not None,
        on_click=run_action,
        args=(
            app,
            person,
            lambda: change_settings(
                app.workspace, person, campaign.name, changes, expected_values=stored
            ),
        ),
        kwargs={
            "success_message": (
                gettext(
                    "Saved. Applies to batches of {campaign} assigned from now on.",
                    campaign=campaign.name,
                )
            )
        },
    )
    if sources.unsafe:
        _copy_gold(app, person, sources.unsafe)


def _copy_gold(app: Services, person: Person, unsafe: dict[str, int]) -> None:
    """Copies gold out of campaigns that cannot be a source themselves."""
    with st.expander(gettext("Gold in pilots and open campaigns"), icon=":material/content_copy:"):
        st.caption(
            gettext(
                "Hidden gold comes from closed campaigns only. In pilots and open campaigns, "
                "annotators could meet the same tasks and their gold. Close the campaign, or copy "
                "its gold into a closed one. Nobody gets a check that they have in another "
                "campaign, and nobody gets their checks there later."
            )
        )
        source, name, go = st.columns([4, 4, 2], vertical_alignment="bottom")
        campaign = source.selectbox(
            gettext("Copy gold from"),
            list(unsafe),
            format_func=lambda name: gettext(
                "{name} ({tasks} tasks with gold)", name=name, tasks=format_number(unsafe[name])
            ),
            key="gold-copy-from",
        )
        new = name.text_input(
            gettext("Name of the copy"),
            f"{campaign} gold"[:MAX_CAMPAIGN_NAME],
            max_chars=MAX_CAMPAIGN_NAME,
            key=f"gold-copy-to-{campaign}",
        ).strip()
        go.button(
            gettext("Copy"),
            icon=":material/content_copy:",
            key="gold-copy",
            disabled=not new,
            on_click=run_action,
            args=(app, person, lambda: copy_gold(app.workspace, person, campaign, new)),
            kwargs={
                "success_message": gettext(
                    "Copied to {new}, which is closed. Choose it as the source.", new=new
                )
            },
        )


def _form(protocol: Protocol, sources: GoldSources, prefix: str) -> dict[str, Any]:
    quality = protocol.quality
    settings: dict[str, Any] = {}
    names = list(sources.usable)
    tasks = sources.usable | sources.unsafe
    if quality.gold_from is not None and quality.gold_from not in names:
        names.append(quality.gold_from)
    first, *rate_columns = st.columns([4, 2, 2, 2], vertical_alignment="bottom")
    settings["gold_from"] = first.selectbox(
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
        help=_help("gold_from"),
    )
    for column, (name, label) in zip(rate_columns, _RATES.items(), strict=False):
        settings[name] = _proportion_input(column, gettext(label), quality, name, prefix, 0.5)
    numbers = st.columns([2, 2, 2, 2, 2], vertical_alignment="bottom")
    for column, (name, label) in zip(numbers, _COUNTS.items(), strict=False):
        settings[name] = column.number_input(
            gettext(label),
            5 if name == "alert_from" else 1,
            1_000,
            getattr(quality, name),
            key=f"{prefix}-{name}",
            help=_help(name),
        )
    for column, (name, label) in zip(numbers[len(_COUNTS) :], _ALERTS.items(), strict=True):
        settings[name] = _proportion_input(column, gettext(label), quality, name, prefix, 1.0)
    return {f"{QUALITY}{name}": value for name, value in settings.items()}


def _proportion_input(
    column: Any, label: str, quality: QualityPart, name: str, prefix: str, maximum: float
) -> float:
    return float(
        column.number_input(
            label,
            0.0,
            maximum,
            float(getattr(quality, name)),
            0.05,
            format="%g",
            key=f"{prefix}-{name}",
            help=_help(name),
        )
    )


def _help(name: str) -> str:
    description = QualityPart.model_fields[name].description or ""
    return literal(gettext(description))
