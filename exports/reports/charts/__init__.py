"""Charts as Vega-Lite specifications, their common style, and drawing them.

Knows only the report model.
"""
