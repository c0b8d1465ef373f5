"""Where a workspace's files are if not in its folder: ``PAGETRAIL_FILES_URL``."""

from __future__ import annotations

import importlib
import os
from urllib.parse import urlsplit

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.extras import install_command

FILES_URL = "PAGETRAIL_FILES_URL"


def files_wanted() -> str | None:
    """The address of the bucket that the environment names, if it names one."""
    return os.environ.get(FILES_URL) or None


def root_of(address: str) -> tuple[str, str]:
    """The address without a slash at its end, and the path that it names.

    Raises:
        WorkspaceError: not an address of a bucket, or s3fs is not installed.
    """
    try:
        parts = urlsplit(address)
        plain = parts.scheme == "s3" and not (parts.query or parts.fragment or "@" in parts.netloc)
    except ValueError:
        plain = False
    if not plain or not parts.netloc:
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
