"""Address of the bucket with a workspace's files: ``PAGETRAIL_FILES_URL``."""

from __future__ import annotations

import importlib
import os
from urllib.parse import urlsplit

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.extras import install_command

FILES_URL = "PAGETRAIL_FILES_URL"


def files_address() -> str | None:
    """The address of the bucket in the environment, or None."""
    return os.environ.get(FILES_URL) or None


def parse_address(address: str) -> tuple[str, str]:
    """The address without a trailing slash, and its bucket and prefix as a path.

    Raises:
        WorkspaceError: not an address of a bucket, or s3fs is not installed.
    """
    try:
        parts = urlsplit(address)
        is_plain = parts.scheme == "s3" and not (
            parts.query or parts.fragment or "@" in parts.netloc
        )
    except ValueError:
        is_plain = False
    if not is_plain or not parts.netloc:
        raise WorkspaceError(
            f"{FILES_URL} is not the address of a bucket: s3://bucket/prefix, without a password. "
            "Credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    try:
        importlib.import_module("s3fs")
    except ImportError as error:
        raise WorkspaceError(
            "Files in a bucket need the packages fsspec and s3fs. Install them with: "
            f"{install_command('buckets')}"
        ) from error
    path = parts.path.strip("/")
    root = f"{parts.netloc}/{path}" if path else parts.netloc
    return f"s3://{root}", root
