"""One module per export format, each with a `write` function, and the column tables they need.

Imported by `exports.run`; no format imports a report.
"""
