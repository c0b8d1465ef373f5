"""Practice tasks: one of each preset, on pages of the demo's documents, with feedback.

They have a separate workspace (``app.services.practice``), so that they count nowhere.
"""
