"""Other labels for boxes: the fields that must match them follow, and nothing else changes."""

from __future__ import annotations

from pagetrail.annotation.protocols.box_labels import label_changes
from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names, with_overrides
from pagetrail.annotation.protocols.sections import BoxLabel
from pagetrail.annotation.protocols.settings import setting_differences, settings


def _relabelled(*names: str) -> Protocol:
    base = preset("relevance")
    return with_overrides(base, label_changes(base, [BoxLabel(name=name) for name in names]))


def test_the_options_of_a_matching_field_follow_the_labels() -> None:
    """Kept, gone and new ones; what is no label stays, and new ones are asked where others are."""
    protocol = _relabelled("Table", "Flow chart", "Text")
    field = protocol.field("modalities")
    assert field is not None
    assert [option.value for option in field.options] == ["table", "flow_chart", "text", "na"]
    assert field.options[1].label == "Flow chart"
    assert field.options[1].when == field.options[0].when is not None


def test_the_same_labels_change_nothing() -> None:
    """What a form sends back unchanged."""
    base = preset("relevance")
    assert with_overrides(base, label_changes(base, base.boxes.labels)) == base


def test_differences_name_labels_not_keys() -> None:
    """With both values; labels of boxes too."""
    base = preset("verify")
    protocol = with_overrides(
        base,
        {"review.keep": 3, "study.order": "batch"}
        | label_changes(base, [BoxLabel(name="Heading")]),
    )
    assert setting_differences(base, protocol, leave_out=["overlap"]) == [
        "Annotators who must mark a page to keep it: 3 (not 2)",
        "Order of tasks: the same for everybody (not each person has their own)",
        "Box labels: Heading",
    ]


def test_every_setting_has_a_label_and_every_option_too() -> None:
    """None is left with its key or the word that TOML uses for it."""
    for name in preset_names():
        for setting in settings(preset(name)):
            assert setting.label != setting.key, setting.key
            assert set(setting.options) == set(setting.option_labels), setting.key
