"""A document of 200 pages in a browser."""
