#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# hostile_test.py LOCI: clients that mean harm or are broken, over stdio: what they send is answered by
# the protocol's errors, the next request is answered as ever, within bounds of memory and time; and
# the server ends when it is told to, when its client has gone, and when the client does not read.
# What is asked here is asked of the process; what only takes a parser is in src/mcp/*_test.cc.

import array
import fcntl
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import termios
import time

MIB = 1 << 20
SANITIZED = "asan" in sys.argv[1]  # its memory is not the program's
INITIALIZE = {"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}


def request(id, method, **params):
    """As both official SDKs have it: the id comes last."""
    return json.dumps({"method": method, "params": params, "jsonrpc": "2.0", "id": id}).encode() + b"\n"


def call(id, tool, **arguments):
    return request(id, "tools/call", name=tool, arguments=arguments)


class Server:
    """One process on a memory of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="loci-mcp-")
        self.process = subprocess.Popen(
            [sys.argv[1], "mcp", str(pathlib.Path(self.folder.name) / "m.loci")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.send(json.dumps(INITIALIZE).encode() + b"\n")
        assert self.reply()["id"] == "init"

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def reply(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, data):
        self.send(data)
        return self.reply()

    def peak(self):
        """MiB of memory at most so far."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) // 1024

    def end(self, seconds=10):
        """The exit code, which comes soon."""
        for stream in (self.process.stdin, self.process.stdout):
            if not stream.closed:
                stream.close()
        return self.wait(seconds)

    def wait(self, seconds=10):
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        assert b"Sanitizer" not in self.process.stderr.read()
        self.process.stderr.close()
        self.folder.cleanup()
        return code


def waiting(stream):
    """The bytes that can be read."""
    count = array.array("i", [0])
    fcntl.ioctl(stream, termios.FIONREAD, count)
    return count[0]


def refused(server, data, code, id):
    reply = server.ask(data)
    assert reply.get("error", {}).get("code") == code and reply["id"] == id, (data[:100], reply)
    assert server.ask(request("next", "ping")) == {"jsonrpc": "2.0", "id": "next", "result": {}}


def test_what_is_no_message():
    server = Server()
    deep = b"[" * 10_000 + b"]" * 10_000
    for data, code, id in (
            (b"nonsense\n", -32700, None),
            (b"\0\n", -32700, None),
            (b"\xff\xfe\n", -32700, None),
            (b"\xef\xbb\xbf{}{}\n", -32700, None),
            (deep + b"\n", -32600, None),
            (b'{"method":"ping","params":{"a":' + deep + b'},"jsonrpc":"2.0","id":5}\n', -32600, 5),
            (b'{"method":"ping","params":{"a":"\\ud800"},"jsonrpc":"2.0","id":6}\n', -32700, 6),
            (b'{"method":"ping","params":{"a":"\xff"},"jsonrpc":"2.0","id":7}\n', -32700, 7),
            (b'{"method":"ping","params":{"a":1e999},"jsonrpc":"2.0","id":8}\n', -32700, 8),
            (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600, None),
            (b'{"jsonrpc":"1.0","id":1,"method":"ping"}\n', -32600, 1),
            (b'{"id":1,"method":"ping"}\n', -32600, 1),
            (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}\n', -32600, None),
            (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', -32600, None),
            (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}\n', -32600, 1),
            (request(1, "no/such"), -32601, 1)):
        refused(server, data, code, id)
    assert server.end() == 0


def test_sizes():
    server = Server()
    text = b"x" * (100 * MIB)
    refused(server, text + b"\n", -32600, None)
    refused(server, b'{"method":"ping","params":{"a":"' + text + b'"},"jsonrpc":"2.0","id":9}\n', -32600, 9)
    assert SANITIZED or server.peak() < 100, server.peak()
    # Of what fits, the dearest: values of one byte each, which the parser has in 16 or more.
    for unit in (b"0,", b"[],", b"{},", b'"",'):
        body = unit * (15 * MIB // len(unit)) + b"0"
        refused(server, b'{"method":"ping","params":{"a":[' + body + b']},"jsonrpc":"2.0","id":9}\n',
                -32600, 9)
        body = unit * 1_000_000 + b"0"
        reply = server.ask(b'{"method":"ping","params":{"a":[' + body + b']},"jsonrpc":"2.0","id":9}\n')
        assert reply.get("result") == {} or unit in (b"[],", b"{},"), (unit, reply)
    assert SANITIZED or server.peak() < 250, server.peak()
    assert server.end() == 0


def test_what_is_not_answered():
    server = Server()
    entity = {"name": "a", "entityType": "t", "observations": []}
    server.send(b"\n  \r\n")
    for method, params in (("no/such", {}), ("ping", {}), ("notifications/cancelled", {}),
                           ("notifications/cancelled", {"requestId": 77}),
                           ("notifications/cancelled", {"requestId": [{}]}),
                           ("tools/call", {"name": "create_entities", "arguments": {"entities": [entity]}})):
        server.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")
    server.send(b'{"jsonrpc":"2.0","id":3,"result":{}}\n')
    graph = server.ask(call(1, "read_graph"))
    assert graph["result"]["structuredContent"] == {"entities": [], "relations": []}, graph
    assert server.end() == 0


def test_a_cancelled_call_ends():
    server = Server()
    names = [{"name": f"{i}", "entityType": "t", "observations": ["x" * 50]} for i in range(20_000)]
    assert "error" not in server.ask(call(1, "create_entities", entities=names))
    # The first call keeps the others waiting; of those the middle one is cancelled.
    for id in (2, 3, 4):
        server.send(call(id, "search_nodes", query="\u044f"))
    server.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                            "params": {"requestId": 3}}).encode() + b"\n" + request(5, "ping"))
    seen = [server.reply()["id"]]
    while 4 not in seen:
        seen.append(server.reply()["id"])
    assert set(seen) >= {2, 4} and seen.index(5 if 5 in seen else 4) <= 3, seen
    server.send(request(6, "ping"))
    while server.reply()["id"] != 6:
        pass
    assert server.end() == 0


def test_the_client_is_gone():
    server = Server()
    server.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"meth')  # and nothing more
    server.process.stdin.close()
    assert json.loads(server.process.stdout.read())["error"]["code"] == -32700
    assert server.end() == 0
    server = Server()
    server.process.stdout.close()
    try:
        server.send(request(1, "ping") * 10)
    except BrokenPipeError:
        pass
    assert server.wait() in (0, -signal.SIGPIPE)
    server.process.stdin.close()


def test_it_ends_when_told():
    for number in (signal.SIGTERM, signal.SIGINT):
        server = Server()
        server.process.send_signal(number)
        assert server.end() in (0, 130, -number), number
        # The client asks, does not read, and cannot be waited for; what it wrote is there.
        server = Server()
        entities = [{"name": f"{i}", "entityType": "t", "observations": ["x" * 100]} for i in range(2000)]
        server.ask(call(1, "create_entities", entities=entities))
        server.send(b"".join(call(id, "read_graph") for id in range(200)))
        while waiting(server.process.stdout) < 60_000:  # of the 65,536 that a pipe holds
            time.sleep(0.01)
        server.process.send_signal(number)
        assert server.wait() in (0, 130, -number), number
        server.process.stdin.close()
        server.process.stdout.close()


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        try:
            test()
        except BaseException:
            print(f"FAILED: {name}", file=sys.stderr)
            raise
    print(f"{len(tests)} tests passed")


if __name__ == "__main__":
    main()
