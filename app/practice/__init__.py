"""Practice tasks: one of each preset, on pages of the demo's documents, with feedback.

They live in a workspace of their own (``app.services.practice``), so that they count nowhere.
"""
