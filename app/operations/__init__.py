"""What Pagetrail can be asked to do, each described once: commands, forms and jobs are derived.

An operation is a module here with a class, ``OPERATION``, and a line in ``registry.py``. Nothing
here knows the command line or the browser.
"""
