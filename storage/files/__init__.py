"""A bucket for a workspace's files. Imports nothing of the project but the domain's errors."""
