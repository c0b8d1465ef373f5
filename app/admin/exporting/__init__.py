"""Administration of exports: starting one, and the finished ones."""
