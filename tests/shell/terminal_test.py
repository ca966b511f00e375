#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# loci shell as a person uses it: lines are edited, completed and remembered, Ctrl-C ends a query and
# not the shell. Goldens (tests/cli/shell.test) have what a script of commands does.
#
# Usage: terminal_test.py FOLDER_OF_LOCI

import os
import pathlib
import subprocess
import sys
import tempfile

from terminal import Terminal

PROMPT = r"loci> "


def environment_in(folder, bin_folder):
    environment = {"PATH": f"{bin_folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "xterm",
                   "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
    # libedit never frees the name and the help of a function that it was given (EL_ADDFN).
    (folder / "leaks").write_text("leak:wcsdup\n", encoding="utf-8")
    environment["LSAN_OPTIONS"] = f"suppressions={folder}/leaks:print_suppressions=0"
    return environment


class Shell(Terminal):
    def __init__(self, folder, environment):
        super().__init__(["loci", "shell", "m.loci"], folder, environment)
        self.expect(PROMPT)


def check_queries(shell):
    shell.type("capital_of(?x, italy)\r")
    shell.expect(r"\?x\r\nrome\r\n")
    shell.expect(PROMPT)
    # A query that is not whole goes on at another prompt; an empty line ends it.
    shell.type("capital_of(?x,\r")
    shell.expect(r"  \.\.\.> ")
    shell.type("france)\r")
    shell.expect(r"paris\r\n")
    shell.expect(PROMPT)
    shell.type("capital_of(?x,\r")
    shell.expect(r"  \.\.\.> ")
    shell.type("\r")
    shell.expect(r"found the end of the text")
    shell.expect(PROMPT)
    # An error does not end it.
    shell.type(".lern\r")
    shell.expect(r"did you mean '\.learn'\?")
    shell.expect(PROMPT)
    # Letters beyond ASCII, put in by hand and taken back by one key each.
    shell.type("in(caf\u00e9\u00e9\x7f, ?x)\r")
    shell.expect(r"europe\r\n")
    shell.expect(PROMPT)


def check_completion(shell):
    """What Tab made of a line is told by what the line does: the drawing is libedit's affair."""
    shell.type(".dig\t\r")
    shell.expect(r"[0-9a-f]{64}\r\n")
    shell.expect(PROMPT)
    shell.type("cap\tro\t, italy)\r")
    shell.expect(r"yes\r\n")
    shell.expect(PROMPT)
    # Several candidates: what they have in common, then a list of them.
    shell.type("in(n\t")
    shell.type("\t")
    shell.expect(r"newark +newcastle")
    shell.type("a\t, ?x)\r")
    shell.expect(r"usa\r\n")
    shell.expect(PROMPT)
    shell.type("in(<New\t, ?x)\r")
    shell.expect(r"usa\r\n")
    shell.expect(PROMPT)
    # What is not known completes to nothing.
    shell.type("in(zzz\t, ?x) or capital_of(rome, ?x)\r")
    shell.expect(r"italy\r\n")
    shell.expect(PROMPT)


def check_interrupts(shell):
    # At the prompt: the line is gone, the shell is not.
    shell.type("capital_of(")
    shell.expect(r"\(")
    shell.interrupt()
    shell.expect(PROMPT)
    shell.type("capital_of(?x, france)\r")
    shell.expect(r"paris\r\n")
    shell.expect(PROMPT)
    # In a query that would take minutes, twice over: the flag is cleared each time.
    for _ in range(2):
        shell.type("next+(?a, ?b), next+(?c, ?d)\r")
        shell.expect(r"\n")
        shell.interrupt()
        shell.expect(r"loci: .*(interrupt|cancel).*\r\n")
        shell.expect(PROMPT)
    shell.type("capital_of(rome, ?x)\r")
    shell.expect(r"italy\r\n")
    shell.expect(PROMPT)


def check_history(folder, environment):
    shell = Shell(folder, environment)
    shell.type("capital_of(?x, france)\r")
    shell.expect(r"paris\r\n")
    shell.expect(PROMPT)
    shell.type(" capital_of(?x, italy)\r")  # begins with a space: not kept
    shell.expect(r"rome\r\n")
    shell.expect(PROMPT)
    shell.type("\x04")
    assert shell.wait() == 0
    history = folder / "state/loci/history"
    lines = history.read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "capital_of(?x, france)", lines
    assert history.stat().st_mode & 0o777 == 0o600
    assert history.parent.stat().st_mode & 0o777 == 0o700
    # The next shell remembers.
    shell = Shell(folder, environment)
    shell.type("\x1b[A\r")
    shell.expect(r"paris\r\n")
    shell.expect(PROMPT)
    shell.type(".quit\r")
    assert shell.wait() == 0
    # A long history is cut to its end.
    history.write_text("".join(f"old {i}\n" for i in range(5000)), encoding="utf-8")
    shell = Shell(folder, environment)
    shell.type("\x04")
    assert shell.wait() == 0
    lines = history.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1000 and lines[-1] == "old 4999", len(lines)


def main():
    bin_folder = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = environment_in(folder, bin_folder)
        facts = ["rome\tcapital_of\titaly", "paris\tcapital_of\tfrance", "caf\u00e9\tin\teurope",
                 "New York\tin\tusa", "newark\tin\tusa", "newcastle\tin\tengland"]
        facts += [f"{i}\tnext\t{(i + 1) % 20000}" for i in range(20000)]
        subprocess.run(["loci", "learn", "m.loci", "--format", "tsv"], cwd=folder, env=environment,
                       input="\n".join(facts).encode(), check=True, stdout=subprocess.DEVNULL)
        shell = Shell(folder, environment)
        check_queries(shell)
        check_completion(shell)
        check_interrupts(shell)
        shell.type("\x04")
        assert shell.wait() == 0
        check_history(folder, environment)
    print("the shell does at a terminal what it should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
