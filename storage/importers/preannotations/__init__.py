"""Elements out of files of pre-annotations: one module per format, and the checks of pages, boxes
and labels that all formats share.
"""
