"""Describes a new campaign in sentences, shown before it is created."""

from __future__ import annotations

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import campaign_guidelines
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.ui.notation import format_number


def campaign_lines(choice: ProtocolChoice, guidelines: str) -> list[str]:
    """One sentence each on the work, who may do it, the settings and the guidelines."""
    protocol = choice.protocol
    lines = [gettext("What annotators do: {title}.", title=protocol.title)]
    if protocol.pilot.enabled:
        feedback = (
            gettext("The gold is shown after each task.")
            if protocol.pilot.feedback
            else gettext("The gold is never shown.")
        )
        lines.append(f"{pass_rule(protocol.pilot.pass_mark)} {feedback}")
    elif protocol.requires is not None:
        lines.append(
            gettext(
                "Only people who have passed the pilot “{requires}” get batches.",
                requires=protocol.requires,
            )
        )
    else:
        lines.append(gettext("Open to every annotator: no pilot has to be passed first."))
    if protocol.boxes.enabled:
        labels = ", ".join(label.name for label in protocol.boxes.labels)
        lines.append(gettext("Boxes are labelled {labels}.", labels=labels))
    lines.append(
        gettext(
            "Different from {origin}: {differences}.",
            origin=choice.origin,
            differences="; ".join(choice.differences),
        )
        if choice.differences
        else gettext("All settings are as in {origin}.", origin=choice.origin)
    )
    if not guidelines.strip():
        lines.append(gettext("There are no guidelines."))
    elif guidelines == campaign_guidelines(protocol):
        lines.append(gettext("The guidelines are those of the preset."))
    else:
        lines.append(
            gettext(
                "The guidelines are your own, {guidelines} characters.",
                guidelines=format_number(len(guidelines)),
            )
        )
    return lines


def later_changes(*, pilot: bool) -> str:
    """What can be changed once the campaign is created."""
    if pilot:
        return gettext(
            "Can be changed later: guidelines and review; tasks can be added. Everything else, the "
            "seed too, is fixed once it is created."
        )
    return gettext(
        "Can be changed later: guidelines, annotators per task, review and hidden checks; tasks "
        "can be added. Everything else, the seed too, is fixed once it is created."
    )


def pass_rule(pass_mark: float) -> str:
    """The pass mark of a pilot as a sentence."""
    if pass_mark == 0:
        return gettext("Everybody who finishes it passes.")
    if pass_mark == 1:
        return gettext("Annotators pass if they get all tasks right.")
    return gettext(
        "Annotators pass if they get {percent} % of the tasks right.",
        percent=f"{100 * pass_mark:.4g}",
    )
