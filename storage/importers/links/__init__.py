"""Downloads documents given as links into a folder, to be ingested from there."""
