"""The database, the document collection, the search engine and the importers behind the domain's
ports. The only importer of SQLModel, Whoosh and PyMuPDF; imports ``annotation`` only.
"""
