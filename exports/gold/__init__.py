"""Gold for exports: as adjudicated in review, and as one grade per page from several annotators.

May import `reading` and `writing`.
"""
