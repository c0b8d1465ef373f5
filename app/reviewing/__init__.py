"""The review queue and the task under review: what the screens show, as tables and as JSON.

For supervisors only; imported by routes, views and the command line.
"""
