"""Tests of the ASGI application: headers, addresses, the listening socket."""
