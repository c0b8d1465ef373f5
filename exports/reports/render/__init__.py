"""A report as CSV, HTML, JSON, LaTeX, terminal text, and as a folder of files.

Knows the report model and the charts, no particular report.
"""
