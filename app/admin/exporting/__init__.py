"""Administration of exports: ordering one, and the finished ones."""
