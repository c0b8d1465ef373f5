"""Rating tables: which annotator put which unit into which category, read from work under a
protocol, and agreement on numbers. Feeds ``agreement``; used by ``comparison`` and ``progress``.
"""
