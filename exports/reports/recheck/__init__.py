"""What later corrections change in work that was already collected."""
