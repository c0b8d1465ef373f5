"""What is in ``deploy/``, and several servers of one workspace."""
