"""Statistics that know nothing of annotation: intervals of shares and means, Student's t,
similarity of texts by TF-IDF. Imports only ``errors``; ``agreement``, ``metrics`` and
``progress`` build on it.
"""
