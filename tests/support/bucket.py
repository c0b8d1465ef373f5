"""A server for S3 of the tests' own (moto), started in this process when the first test asks."""

from __future__ import annotations

import logging
from functools import cache
from itertools import count
from typing import Any

import pytest
from moto.server import ThreadedMotoServer
from s3fs import S3FileSystem

from pagetrail.storage.files.location import FILES_URL

_numbers = count(1)


def new_bucket(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a prefix in an empty bucket; the environment names it and may open it."""
    for name, value in {
        "AWS_ENDPOINT_URL": _endpoint(),
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    bucket = f"bucket-{next(_numbers)}"
    objects().mkdir(bucket)
    address = f"s3://{bucket}/ws"
    monkeypatch.setenv(FILES_URL, address)
    return address


def objects() -> Any:
    """The server's objects, past the program."""
    return S3FileSystem(skip_instance_cache=True, use_listings_cache=False)


@cache
def _endpoint() -> str:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()  # a daemon thread: it ends with the process
    host, port = server.get_host_and_port()
    return f"http://{host}:{port}"
