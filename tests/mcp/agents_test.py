#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# agents_test.py --bin FOLDER: the settings on docs/agents.md, as they stand. Each JSON, TOML and Python block
# must parse, each command in any of them must start a server that answers initialize and lists its tools,
# and at each URL the page's own server over HTTP must do the same for who shows the headers beside it.
# The home of the page's reader is a temporary folder; FOLDER, with loci, is on the PATH.

import argparse
import ast
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import tomllib
import urllib.error
import urllib.request

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "agents.md"
HOME, PORT = "/home/ada", "8420"  # on the page
URL = f"http://127.0.0.1:{PORT}/mcp"
URL_KEYS = ("url", "serverUrl", "httpUrl")
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "agents_test", "version": "1"}}}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def blocks(text):
    """Yields (line number, language, text) of each fenced block."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def servers_in(value):
    """Yields every object that names a server, by a command or a URL, however deep."""
    if isinstance(value, dict):
        if any(key in value for key in ("command", *URL_KEYS)):
            yield value
        for member in value.values():
            yield from servers_in(member)


def literal(node):
    """The value of an expression; what is added to a text at run time is a variable's value."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return literal(node.left) + "$VALUE"
    if isinstance(node, ast.Dict):
        return {literal(k): literal(v) for k, v in zip(node.keys, node.values)}
    return ast.literal_eval(node)


def servers_in_python(text):
    """The same of the literals in a program: keywords of calls, and dictionaries."""
    for node in ast.walk(ast.parse(text)):
        try:
            if isinstance(node, ast.Call):
                found = {k.arg: ast.literal_eval(k.value) for k in node.keywords
                         if k.arg in ("command", "args", "env")}
            elif isinstance(node, ast.Dict):
                found = {ast.literal_eval(k): literal(v) for k, v in zip(node.keys, node.values)}
            else:
                continue
        except ValueError:
            continue
        yield from servers_in(found)


def servers_in_shell(text):
    """Of 'client mcp add NAME -- COMMAND' what comes after the dashes; loci's own lines as they are."""
    for line in text.splitlines():
        words = shlex.split(line)
        words = words[words.index("--") + 1:] if "--" in words else words
        if words and words[0] == "loci":
            yield {"command": words[0], "args": words[1:]}


READERS = {
    "json": lambda text: servers_in(json.loads(text)),
    "toml": lambda text: servers_in(tomllib.loads(text)),
    "python": servers_in_python,
    "sh": servers_in_shell,
}


class OverHttp:
    """The server of the page's command with --http, at a port of its own."""

    def __init__(self, command, home, environment):
        command = ["0" if word == PORT else word.replace(HOME, home) for word in command]
        self.process = subprocess.Popen(command, env=environment, cwd="/", stderr=subprocess.PIPE, text=True)
        self.said, found = "", None
        while not found:
            line = self.process.stderr.readline()
            if not line:
                raise OSError(f"{command} ended: {self.said}")
            self.said += line
            found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        self.url = found.group(0)
        self.token = pathlib.Path(command[command.index("--token-file") + 1]).read_text().strip()

    def fault(self, server):
        """What is wrong with the settings of a client, or None."""
        url = next(server[key] for key in URL_KEYS if key in server)
        if url != URL:
            return f"{url} is not {URL}"
        headers = dict(server.get("headers", {}))
        if "bearer_token_env_var" in server:
            headers["Authorization"] = "Bearer $" + server["bearer_token_env_var"]
        for name, value in headers.items():  # each client has its own way to name a variable
            headers[name] = re.sub(r"\$\{[\w:-]+\}|\$\w+", self.token, value)
        headers |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        request = urllib.request.Request(self.url, json.dumps(INITIALIZE).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                text = reply.read().decode()
        except urllib.error.HTTPError as error:
            return f"HTTP {error.code}: {error.read()[:300]!r}"
        return None if '"name":"loci"' in text else f"answered {text[:300]!r}"

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)


def fault(server, home, path):
    """What is wrong with the server that is started so, or None."""
    def at_home(text):
        return text.replace(HOME, home)
    command = [server["command"], *map(at_home, server.get("args", []))]
    environment = {"PATH": path, "HOME": home}
    environment.update({name: at_home(value) for name, value in server.get("env", {}).items()})
    messages = "".join(json.dumps(m) + "\n" for m in (INITIALIZE, INITIALIZED, LIST))
    try:
        ran = subprocess.run(command, input=messages, env=environment, cwd="/", timeout=60,
                             capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{command}: {error}"
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    if ran.returncode != 0 or [a.get("id") for a in answers] != [1, 2]:
        return f"{command}: exit code {ran.returncode}, {ran.stdout[:300]!r}, {ran.stderr[:300]!r}"
    if answers[0]["result"]["serverInfo"]["name"] != "loci":
        return f"{command}: it is {answers[0]['result']['serverInfo']}"
    if "create_entities" not in [tool["name"] for tool in answers[1]["result"]["tools"]]:
        return f"{command}: no create_entities"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    path = f"{arguments.bin.resolve()}:{os.environ['PATH']}"
    faults, tried, over_http = [], 0, None
    with tempfile.TemporaryDirectory(prefix="loci-agents-") as folder:
        for line, language, text in blocks(PAGE.read_text(encoding="utf-8")):
            if language == "console":
                continue  # tests/transcript.py runs these
            try:
                servers = list(READERS[language](text))
            except (KeyError, SyntaxError, ValueError) as error:
                faults.append(f"agents.md:{line}: {language}: {error!r}")
                continue
            if not servers:
                faults.append(f"agents.md:{line}: no server in it")
            for server in servers:
                tried += 1
                if "--http" in server.get("args", []):
                    over_http = OverHttp(["loci", *server["args"]], folder, {"PATH": path, "HOME": folder})
                    continue
                home = tempfile.mkdtemp(dir=folder)
                found = fault(server, home, path) if "command" in server else over_http.fault(server)
                if found:
                    faults.append(f"agents.md:{line}: {found}")
        if over_http:
            over_http.close()
    print("\n".join([*faults, f"{tried} servers tried, {len(faults)} faults"]))
    return 1 if faults or tried == 0 else 0


def self_test():
    """The readers must see what they are for."""
    assert len(list(servers_in({"a": {"b": {"command": "x"}}}))) == 1
    assert list(servers_in_python('f(command="x", args=["y"])')) == [{"command": "x", "args": ["y"]}]
    assert list(servers_in_python('{"url": "u", "headers": {"a": "b" + c}}')) == [
        {"url": "u", "headers": {"a": "b$VALUE"}}]
    assert list(servers_in_shell("c mcp add m -- loci mcp y")) == [{"command": "loci", "args": ["mcp", "y"]}]
    assert [b[:2] for b in blocks("a\n```json\n{}\n```\n")] == [(2, "json")]


if __name__ == "__main__":
    self_test()
    sys.exit(main())
