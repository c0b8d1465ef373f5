"""Describes a new campaign in sentences, shown before it is created."""

from __future__ import annotations

from pagetrail.annotation.protocols.protocol import campaign_guidelines
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.ui.notation import format_number


def campaign_lines(choice: ProtocolChoice, guidelines: str) -> list[str]:
    """One sentence each on the work, who may do it, the settings and the guidelines."""
    protocol = choice.protocol
    lines = [f"What annotators do: {protocol.title}."]
    if protocol.pilot.enabled:
        feedback = (
            "The gold is shown after each task."
            if protocol.pilot.feedback
            else "The gold is never shown."
        )
        lines.append(f"{pass_rule(protocol.pilot.pass_mark)} {feedback}")
    elif protocol.requires is not None:
        lines.append(f"Only people who have passed the pilot “{protocol.requires}” get batches.")
    else:
        lines.append("Open to every annotator: no pilot has to be passed first.")
    if protocol.boxes.enabled:
        labels = ", ".join(label.name for label in protocol.boxes.labels)
        lines.append(f"Boxes are labelled {labels}.")
    lines.append(
        f"Different from {choice.origin}: {'; '.join(choice.differences)}."
        if choice.differences
        else f"All settings are as in {choice.origin}."
    )
    if not guidelines.strip():
        lines.append("There are no guidelines.")
    elif guidelines == campaign_guidelines(protocol):
        lines.append("The guidelines are those of the preset.")
    else:
        lines.append(f"The guidelines are your own, {format_number(len(guidelines))} characters.")
    return lines


def later_changes(*, pilot: bool) -> str:
    """What can be changed once the campaign is created."""
    later = (
        "guidelines and review"
        if pilot
        else "guidelines, annotators per task, review and hidden checks"
    )
    return (
        f"Can be changed later: {later}; tasks can be added. Everything else, the seed too, is "
        "fixed once it is created."
    )


def pass_rule(pass_mark: float) -> str:
    """The pass mark of a pilot as a sentence."""
    if pass_mark == 0:
        return "Everybody who finishes it passes."
    if pass_mark == 1:
        return "Annotators pass if they get all tasks right."
    return f"Annotators pass if they get {100 * pass_mark:.4g} % of the tasks right."
