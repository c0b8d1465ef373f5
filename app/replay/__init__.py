"""Attempts as the replay shows them: the script for the browser, details below it, and the choice
of an attempt. Imported by the replay view.
"""
