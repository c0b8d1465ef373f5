"""What annotators do in the workspace, checked against their rights and recorded as events:
actions, search, live checks, feedback, and the screen's data. Imported by routes,
agents, the demo and views.
"""
