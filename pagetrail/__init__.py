"""Human annotation and human baselines over collections of PDF documents.

The four packages are the folders of the same names at the root of the repository, linked here so
that what is installed has one name, ``pagetrail``.
"""
