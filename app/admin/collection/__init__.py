"""Administration of the collection: PDF files, the search index and disk usage."""
