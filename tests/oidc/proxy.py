"""A proxy before the certified provider that changes what it says."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey

Change = Callable[[dict[str, Any]], None]


class Tampering:
    """What the proxy changes at the moment.

    Attributes:
        id_token: changes the claims of ID tokens, which are signed again.
        key: signs them.
        documents: path → changes its JSON.
        trickle_s: seconds between two bytes of an answer of the token endpoint.
        sign_out: gets the form with a logout token that the provider sends to the client.
    """

    def __init__(self, key: RSAKey) -> None:
        self.provider_key = self.key = key
        self.reset()

    def reset(self) -> None:
        """Change nothing."""
        self.id_token: Change | None = None
        self.key = self.provider_key
        self.documents: dict[str, Change] = {}
        self.trickle_s = 0.0
        self.requests: list[str] = []
        self.sign_out: Callable[[bytes], object] = bool

    def changed(self, path: str, body: bytes) -> bytes:
        """The body of an answer as the proxy passes it on."""
        if path == "/token" and (self.id_token or self.key is not self.provider_key):
            content = json.loads(body)
            if "id_token" in content:
                claims = dict(jwt.decode(content["id_token"], self.provider_key).claims)
                if self.id_token is not None:
                    self.id_token(claims)
                header = {"alg": "RS256", **({"kid": self.key.kid} if self.key.kid else {})}
                content["id_token"] = jwt.encode(header, claims, self.key)
            return json.dumps(content).encode()
        if change := self.documents.get(path):
            content = json.loads(body)
            change(content)
            return json.dumps(content).encode()
        return body


@contextmanager
def tampering_proxy(
    provider_port: int, tampering: Tampering, tls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """Serves the provider on another port, which it returns."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            pause_s = tampering.trickle_s if path == "/token" else 0.0
            tampering.requests.append(path)
            sent = self.rfile.read(int(self.headers.get("content-length", "0")))
            if path == "/logout-of-client":
                tampering.sign_out(sent)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            connection = HTTPConnection("127.0.0.1", provider_port, timeout=20)
            headers = dict(self.headers) | {
                "Accept-Encoding": "identity",
                "X-Forwarded-Proto": "http" if tls is None else "https",
            }
            connection.request(self.command, self.path, sent, headers)
            reply = connection.getresponse()
            body = tampering.changed(path, reply.read())
            self.send_response(reply.status)
            for name, value in reply.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if pause_s:
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(pause_s)
            else:
                self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, format: str, *args: Any) -> None: ...

    class Server(ThreadingHTTPServer):
        request_queue_size = 64

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_: None  # type: ignore[method-assign] # browsers leave
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
