"""Caddy, nginx and Apache, run with the files of ``deploy/`` or with their defaults."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

import pytest

from tests.e2e.support.server_process import free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
SITE = "annotate.example.org"
PROGRAMS = {"caddy": "caddy", "nginx": "nginx", "apache": "apache2"}
_WAIT_S = 60.0
_NGINX = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
	access_log off;
	client_body_temp_path {folder}/body;
	proxy_temp_path {folder}/proxy;
	fastcgi_temp_path {folder}/fastcgi;
	uwsgi_temp_path {folder}/uwsgi;
	scgi_temp_path {folder}/scgi;
	include {site};
}}
"""
_MEMBERS = {
    "nginx": "\tserver 127.0.0.1:8501 max_fails=1 fail_timeout=2s;\n",
    "apache": "\tBalancerMember http://127.0.0.1:8501 route=1 upgrade=websocket timeout=3600 "
    "retry=2 connectiontimeout=2\n",
}
"""The line of one server, in each shipped file."""
_APACHE_MODULES = (
    "mpm_event",
    "authz_core",
    "alias",
    "headers",
    "ssl",
    "socache_shmcb",
    "slotmem_shm",
    "proxy",
    "proxy_http",
    "proxy_balancer",
    "lbmethod_byrequests",
)
_APACHE = """\
{modules}
ServerName localhost
PidFile {folder}/apache.pid
ErrorLog {folder}/error.log
DefaultRuntimeDir {folder}
Listen 127.0.0.1:{port}
Include {site}
"""


@contextmanager
def shipped_proxy(name: str, folder: Path, servers: Sequence[int]) -> Iterator[int]:
    """The proxy with the file that is shipped, as an operator edits it; yields its port for HTTPS.

    Args:
        folder: for the edited file, its certificate and logs.
        servers: the servers' ports.
    """
    port = free_port()
    certificate, key = make_certificate(folder)
    if name == "caddy":
        site = DEPLOY / "Caddyfile"
        environment = {
            "SITE": f"localhost:{port}",
            "UPSTREAMS": " ".join(f"127.0.0.1:{server}" for server in servers),
            "XDG_DATA_HOME": str(folder / "certificates"),
            "CADDY_OPTION": "admin off\nskip_install_trust\nauto_https disable_redirects",
        }
    else:
        file = {"nginx": "nginx.conf", "apache": "apache.conf"}[name]
        text = (DEPLOY / file).read_text(encoding="utf-8")
        members = _MEMBERS[name]
        assert members in text
        lines = "".join(
            members.replace("8501", str(server)).replace("route=1", f"route={number}")
            for number, server in enumerate(servers, 1)
        )
        edits = {
            members: lines,
            f"/etc/ssl/certs/{SITE}.pem": str(certificate),
            f"/etc/ssl/private/{SITE}.key": str(key),
            "listen 80;": f"listen 127.0.0.1:{free_port()};",
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "*:443": f"127.0.0.1:{port}",
            "*:80": f"127.0.0.1:{free_port()}",
            SITE: "localhost",
        }
        for old, new in edits.items():
            text = text.replace(old, new)
        site = folder / file
        site.write_text(text, encoding="utf-8")
        environment = {}
    with _running(name, site, folder, port, environment):
        yield port


@contextmanager
def plain_nginx(folder: Path, location: str) -> Iterator[int]:
    """nginx with one location and nothing else of ours; yields its port for HTTP."""
    port = free_port()
    site = folder / "plain.conf"
    site.write_text(
        f"server {{ listen 127.0.0.1:{port}; server_name _; {location} }}\n", encoding="utf-8"
    )
    with _running("nginx", site, folder, port, {}):
        yield port


def need(name: str) -> str:
    """The proxy's program; skips the test where it is not installed."""
    program = shutil.which(PROGRAMS[name], path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip(f"{PROGRAMS[name]} is not installed")
    return program


@contextmanager
def _running(
    name: str, site: Path, folder: Path, port: int, environment: dict[str, str]
) -> Iterator[None]:
    program = need(name)
    main = folder / f"{name}-main.conf"
    if name == "caddy":
        arguments = [program, "run", "--config", str(site), "--adapter", "caddyfile"]
    elif name == "nginx":
        main.write_text(_NGINX.format(folder=folder, site=site), encoding="utf-8")
        arguments = [program, "-c", str(main), "-p", str(folder)]
    else:
        modules = "\n".join(
            f"LoadModule {module}_module /usr/lib/apache2/modules/mod_{module}.so"
            for module in _APACHE_MODULES
        )
        main.write_text(
            _APACHE.format(folder=folder, site=site, port=port, modules=modules), encoding="utf-8"
        )
        arguments = [program, "-d", str(folder), "-f", str(main), "-DFOREGROUND"]
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=os.environ | environment,
            start_new_session=True,
        )
    try:
        give_up = time.monotonic() + _WAIT_S
        while not _listens(port):
            text = (folder / f"{name}.log").read_text(errors="replace")[-4000:]
            assert process.poll() is None and time.monotonic() < give_up, text
            time.sleep(0.05)
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost and its key."""
    certificate, key = folder / "localhost.pem", folder / "localhost.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate, key


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_arguments: Any) -> None:
        return None


def fetch(
    url: str, data: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, list[str], str]:
    """Status, cookies and text of an answer; neither follows redirects nor checks certificates."""
    request = Request(url, data, headers or {})  # noqa: S310 - of a server that the test started
    context = ssl._create_unverified_context()
    opener = build_opener(HTTPSHandler(context=context), _NoRedirects)
    try:
        with opener.open(request, timeout=30) as reply:
            return reply.status, reply.headers.get_all("set-cookie") or [], reply.read().decode()
    except HTTPError as error:
        return error.code, error.headers.get_all("set-cookie") or [], error.read().decode()
