"""Imports agents' runs from result files: one module per format, checks against the campaign, and
the import itself.
"""
