"""One module per export format, each with its ``Format``, and the column tables they need.

``exports.run`` lists the formats. No format here imports a report: those that write the rows of
reports (``scores``, ``inspect``, ``dataset``) are in ``exports.reports``.
"""
