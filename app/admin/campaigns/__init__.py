"""Administration of campaigns: making one, its settings, guidelines and tasks, closing and
archiving.
"""
