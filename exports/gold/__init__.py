"""Gold as exports read it: what was adjudicated in review, and the grade of each page from several
annotators. May import `reading` and `writing`.
"""
