"""One module per export format, each with its ``Format``, and the column tables they need.

``exports.run`` lists the formats; no format imports a report.
"""
