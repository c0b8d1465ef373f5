"""Review in the database: the queue and its filters, the projection behind it, submissions under
review, gold streams, and what reviewers do. Imports ``attempts``.
"""
