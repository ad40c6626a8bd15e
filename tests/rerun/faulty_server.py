"""A real HTTP server with faults on purpose: the first part of the path names the fault."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FINE = {
    "id": "chatcmpl-1",
    "model": "m-2026",
    "choices": [{"message": {"role": "assistant", "content": "fine"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 2},
}
JSON = "application/json"


class FaultyServer(ThreadingHTTPServer):
    """Counts the requests by fault, and remembers the bodies."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hits: Counter[str] = Counter()
        self.bodies: list[Any] = []
        self.hurry = threading.Event()
        """Set at the end, so that slow answers end too."""

    def url(self, fault: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{fault}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are the point of some tests."""


@contextmanager
def faulty_server() -> Iterator[FaultyServer]:
    with FaultyServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.hurry.set()
        server.shutdown()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FaultyServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        fault = self.path.split("/")[1]
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.bodies.append(json.loads(self.body))
        self.server.hits[fault] += 1
        self.hit = self.server.hits[fault]
        _FAULTS[fault](self)

    def reply(self, status: int, body: object, kind: str = JSON, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def key(self) -> str:
        """What the request carried as its key, with the word before it."""
        return self.headers.get("Authorization") or self.headers.get("x-api-key") or ""

    def pause(self, seconds: float) -> None:
        self.server.hurry.wait(seconds)

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _error(text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error"}}


def _twice(status: int, **headers: str) -> Callable[[_Handler], None]:
    """Fails twice, then answers."""

    def act(handler: _Handler) -> None:
        if handler.hit <= 2:
            handler.reply(status, _error("slow down"), **headers)
        else:
            handler.reply(200, FINE)

    return act


def _always(status: int, body: object, kind: str = JSON, **headers: str) -> Callable[..., None]:
    return lambda handler: handler.reply(status, body, kind, **headers)


def _limit_by_date(handler: _Handler) -> None:
    # The server's clock is years behind: only the difference counts.
    if handler.hit == 1:
        dates = {"Date": formatdate(1e9, usegmt=True), "Retry_After": formatdate(1e9, usegmt=True)}
        handler.send_response_only(429)
        handler.send_header("Date", dates["Date"])
        handler.send_header("Retry-After", dates["Retry_After"])
        handler.send_header("Content-Length", "0")
        handler.end_headers()
    else:
        handler.reply(200, FINE)


def _slow_headers(handler: _Handler) -> None:
    """A byte of the headers now and then: every single read is in time, their sum is not."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 200:
        handler.wfile.write(bytes([byte]))
        handler.pause(0.05)


def _slow_body(handler: _Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.send_header("Content-Length", "200")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.pause(0.05)


def _silent(handler: _Handler) -> None:
    handler.pause(20)


def _cut(handler: _Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
    handler.wfile.write(b'Content-Length: 500\r\n\r\n{"choices": [')
    handler.hang_up()


def _not_http(handler: _Handler) -> None:
    handler.wfile.write(b"SSH-2.0\r\n")
    handler.hang_up()


def _endless(handler: _Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    for _ in range(5 << 4):
        handler.wfile.write(b" " * (64 << 10))
    handler.hang_up()


def _http_1_0(handler: _Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n")
    handler.wfile.write(json.dumps(FINE).encode())
    handler.hang_up()


def _echo(handler: _Handler) -> None:
    """Everything that came back at once: in the answer, its headers, and with escapes."""
    key = handler.key()
    escaped = "".join(f"\\u{ord(c):04x}" for c in key)
    body = json.dumps({**FINE, "choices": [{"message": {"content": f"you sent {key}"}}]})
    body = body.replace('"chatcmpl-1"', f'"{escaped}"')
    handler.reply(200, body.encode(), X_Echo=key)


def _echo_error(handler: _Handler) -> None:
    handler.reply(401, _error(f"wrong key {handler.key()}"), X_Echo=handler.key())


def _echo_redirect(handler: _Handler) -> None:
    place = f"https://elsewhere.example/?key={handler.key().removeprefix('Bearer ')}"
    handler.reply(307, b"", Location=place)


def _slow_once(handler: _Handler) -> None:
    time.sleep(0.02)
    handler.reply(200, FINE)


_FAULTS: dict[str, Callable[[_Handler], None]] = {
    "fine": _always(200, FINE),
    "a-little-slow": _slow_once,
    "limited": _twice(429, Retry_After="0"),
    "limited-by-date": _limit_by_date,
    "limited-for-long": _always(429, _error("come back"), Retry_After="86400"),
    "broken-twice": _twice(500),
    "broken": _always(500, b"<h1>oops</h1>", "text/html"),
    "slow-headers": _slow_headers,
    "slow-body": _slow_body,
    "silent": _silent,
    "cut": _cut,
    "hangs-up": lambda handler: handler.hang_up(),
    "not-http": _not_http,
    "invalid-json": _always(200, b'{"choices": [{'),
    "not-utf8": _always(200, b'{"choices": "\xff\xfe"}'),
    "too-deep": _always(200, b"[" * 100_000),
    "nothing": _always(200, b""),
    "a-list": _always(200, [FINE]),
    "no-choices": _always(200, {**FINE, "choices": []}),
    "no-message": _always(200, {**FINE, "choices": [{"text": "fine"}]}),
    "nameless-call": _always(
        200, {"choices": [{"message": {"content": None, "tool_calls": [{"id": "1"}]}}]}
    ),
    "error-in-200": _always(200, _error("upstream failed")),
    "filtered": _always(200, {"choices": [{"message": {}, "finish_reason": "content_filter"}]}),
    "html": _always(200, b"<html>sign in</html>", "text/html"),
    "mislabelled": _always(200, FINE, "text/plain"),
    "unlabelled": _always(200, FINE, ""),
    "packed": _always(200, b"\x1f\x8b", Content_Encoding="gzip"),
    "huge": _always(200, b" " * (5 << 20)),
    "endless": _endless,
    "redirect": _always(307, b"", Location="https://elsewhere.example/v1/chat/completions"),
    "redirect-here": _always(308, b"", Location="/fine/v1/chat/completions"),
    "http-1.0": _http_1_0,
    "cached": _always(200, FINE, X_Cache="HIT from edge"),
    "no-key": _always(401, _error("invalid api key")),
    "no-model": _always(404, _error("model 'x' not found")),
    "too-long": _always(400, _error("maximum context length is 4096 tokens")),
    "overloaded": _always(529, {"type": "error", "error": {"message": "Overloaded"}}),
    "echo": _echo,
    "echo-error": _echo_error,
    "echo-redirect": _echo_redirect,
}
