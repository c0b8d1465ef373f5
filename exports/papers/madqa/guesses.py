"""MADQA's table 9: what models answer correctly from the questions alone."""

from __future__ import annotations

from dataclasses import replace

from pagetrail.annotation.metrics.without_documents import questions_by_need
from pagetrail.exports.papers.material import Material
from pagetrail.exports.reports.metrics.without_documents import models_table
from pagetrail.exports.reports.model import Table


def guessability(study: Material) -> Table | str:
    """Correct answers without documents by class of question, or why there are none."""
    campaigns = study.measured_campaigns
    guesses = [row for campaign in campaigns for row in campaign.guesses]
    needs = questions_by_need((row.task, row.correct) for row in guesses)
    if not needs:
        return "no run of these campaigns was made without documents"
    table = models_table(guesses, needs, study.options)
    return replace(table, key="table-9", title="Answers without documents")
