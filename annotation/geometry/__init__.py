"""Pages, boxes and elements, and how boxes overlap and match, in PDF points on the displayed page.

Imports nothing else of Pagetrail but ``errors``; everything may import it.
"""
