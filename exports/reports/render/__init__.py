"""A report as CSV, HTML, JSON, LaTeX, terminal text, and as a folder of files.

Imports the report model and the charts, but no report.
"""
