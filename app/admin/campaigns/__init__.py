"""Administration of campaigns: creating one, its settings, guidelines and tasks, closing and
archiving.
"""
