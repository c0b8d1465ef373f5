"""Fixtures for packages whose tests share a server; their conftests import all of them."""

from tests.e2e.support.reused_tab import reused_tab, task_of
from tests.e2e.support.shared_server import (
    account_of,
    server,
    shared_server,
    unused_accounts,
    workspace,
)

__all__ = [
    "account_of",
    "reused_tab",
    "server",
    "shared_server",
    "task_of",
    "unused_accounts",
    "workspace",
]
