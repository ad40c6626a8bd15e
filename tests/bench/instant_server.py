"""A server that answers every request at once with the same chat completion."""

from __future__ import annotations

import asyncio
import json
import sys

_ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "model": "instant",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "[vent.open(bay=3)]"},
        }
    ],
    "usage": {"prompt_tokens": 310, "completion_tokens": 12, "total_tokens": 322},
}
_BODY = json.dumps(_ANSWER).encode()
_REPLY = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    + f"Content-Length: {len(_BODY)}\r\n\r\n".encode()
    + _BODY
)


class _Instant(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._got = transport, b""

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
        if found and len(body) >= length:
            self._got = b""
            self._transport.write(_REPLY)


async def _serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Instant, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
