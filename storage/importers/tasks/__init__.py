"""Task files and pre-annotations become batches of a campaign: checks of every row, predictions,
and the import itself. Imports ``files`` and ``preannotations``.
"""
