"""One attempt: its state as a fold of its events, what may be recorded in that state, and the
recorder, the only way into the event log. Imports ``events``, ``protocols``, ``geometry`` and
``ports``.
"""
