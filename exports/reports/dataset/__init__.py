"""The export format ``dataset``: a campaign as a data set for publication, with its card."""
