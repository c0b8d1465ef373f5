"""A bucket for a workspace's files. Imports only the domain's errors from the project."""
