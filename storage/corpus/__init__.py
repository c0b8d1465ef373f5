"""The document collection: registered documents and their changes, PDF files through PyMuPDF, and
page images. Nothing else opens PDFs.
"""
