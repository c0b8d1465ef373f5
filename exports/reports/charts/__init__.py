"""Charts as Vega-Lite specifications, their common style, and drawing them as SVG and PNG.

Knows only the report model.
"""
