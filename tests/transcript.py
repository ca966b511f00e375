#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Runs transcripts of shell sessions and compares, byte for byte, what they print.
#
# A golden test (tests/cli/*.test) is lines of these kinds:
#   # ...        a comment; "# needs: COMMAND" skips the test, loudly, where COMMAND fails
#   @ NAME       begins a file; its lines follow, each behind "| "
#   $ COMMAND    a command of sh, then
#   < LINE         a line of its standard input
#   > LINE         a line that it prints on standard output
#   ! LINE         a line that it prints on standard error
#   = CODE         its exit code, if not 0
# A last line of output without a newline is followed by "\ no newline".
#
# In a document (*.md) the blocks that open with ```console are run: "$ COMMAND", then what it
# prints, standard error included. ```console needs=PATH is skipped where PATH is missing.
#
# In what is expected, a line "..." stands for any lines, {*} within a line for any characters,
# {hex:N} for N hex digits.
#
# A file's commands run one after the other in one empty folder. --update writes what was printed
# into the golden test; read the difference before you commit it.

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT_SECONDS = 120


class Step:
    """A command with what it gets and what it should do."""

    def __init__(self, command, line):
        self.command, self.line = command, line
        self.stdin, self.stdout, self.stderr, self.code = [], [], [], 0


def text_of(lines):
    """Joins expected lines; the marker takes the last newline away."""
    text = "".join(line + "\n" for line in lines if line != "\\ no newline")
    return text[:-1] if lines and lines[-1] == "\\ no newline" else text


def lines_of(text):
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return lines + ["\\ no newline"]


def pattern_of(lines):
    """A regular expression that matches what the lines expect."""
    out = ""
    for line in lines:
        if line == "...":
            out += r"(?:[^\n]*\n)*"
            continue
        if line == "\\ no newline":
            out = out.removesuffix(r"\n")
            continue
        for part in re.split(r"(\{\*\}|\{hex:\d+\})", line):
            if part == "{*}":
                out += r"[^\n]*"
            elif part.startswith("{hex:"):
                out += r"[0-9a-f]{%s}" % part[5:-1]
            else:
                out += re.escape(part)
        out += r"\n"
    return re.compile(out, re.DOTALL)


def parse_golden(text):
    """Returns needs, files {name: text} and steps."""
    needs, files, steps, name = [], {}, [], None
    for number, line in enumerate(text.splitlines(), 1):
        kind, rest = line[:1], line[2:]
        if not line.strip():
            continue
        if line[1:2] not in ("", " "):
            raise SystemExit(f"line {number}: no space after '{kind}'")
        if kind == "#":
            if rest.startswith("needs: "):
                needs.append(rest.removeprefix("needs: "))
        elif kind == "@":
            name = rest
            files[name] = ""
        elif kind == "|":
            files[name] += rest + "\n"
        elif kind == "$":
            steps.append(Step(rest, number))
        elif kind == "<":
            steps[-1].stdin.append(rest)
        elif kind == ">":
            steps[-1].stdout.append(rest)
        elif kind == "!":
            steps[-1].stderr.append(rest)
        elif kind == "=":
            steps[-1].code = int(rest)
        else:
            raise SystemExit(f"line {number}: unknown kind of line: {line}")
    return needs, files, steps


def update_golden(text, results):
    """The golden test with the results {line number: (stdout, stderr, code)} put in."""
    out, skipping = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line[:1] in (">", "!", "=") and skipping:
            continue
        skipping = skipping and line[:1] == "<"
        out.append(line)
        if number in results:
            skipping = True
            pending = results[number]
        if skipping:
            following = text.splitlines()[number:number + 1]
            if not following or following[0][:1] != "<":
                stdout, stderr, code = pending
                out += [("> " + l).rstrip() if not l else "> " + l for l in lines_of(stdout)]
                out += ["! " + l for l in lines_of(stderr)]
                out += [f"= {code}"] if code else []
    return "\n".join(out) + "\n"


def parse_document(text):
    """The steps of a document's console blocks; blocks whose needs are missing are told."""
    steps, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if not inside and line.startswith("```console"):
            inside, skip = True, False
            needs = re.search(r"needs=(\S+)", line)
            if needs and not os.path.exists(needs.group(1)):
                print(f"line {number}: SKIPPED, {needs.group(1)} is missing")
                skip = True
        elif inside and line.startswith("```"):
            inside = False
        elif inside and not skip:
            if line.startswith("$ "):
                steps.append(Step(line[2:] + " 2>&1", number))
            elif steps and steps[-1].command.removesuffix(" 2>&1").endswith("\\"):
                steps[-1].command = steps[-1].command.removesuffix(" 2>&1") + "\n" + line + " 2>&1"
            else:
                steps[-1].stdout.append(line)
    for step in steps:
        step.code = None  # a document shows what is printed
    return steps


def run(step, folder, environment):
    done = subprocess.run(["sh", "-c", step.command], cwd=folder, env=environment,
                          input=text_of(step.stdin).encode(), capture_output=True,
                          timeout=TIMEOUT_SECONDS, check=False)
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode


def difference(step, stdout, stderr, code):
    """What is not as expected, as text; empty where all is."""
    out = ""
    for name, expected, actual in (("stdout", step.stdout, stdout), ("stderr", step.stderr, stderr)):
        if not pattern_of(expected).fullmatch(actual):
            out += "\n".join(difflib.unified_diff(expected, lines_of(actual), f"expected {name}",
                                                  f"actual {name}", lineterm="")) + "\n"
    if step.code is not None and code != step.code:
        out += f"exit code {code}, not {step.code}\n"
    return out


def run_file(path, bin_folder, update):
    """Runs one transcript; returns the exit code."""
    text = path.read_text(encoding="utf-8")
    is_document = path.suffix == ".md"
    environment = {"PATH": f"{bin_folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "dumb",
                   "ROOT": str(pathlib.Path(__file__).resolve().parent.parent)}
    environment.update({k: v for k, v in os.environ.items()
                        if k in ("LOCI_DATA", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")})
    results, faults = {}, 0
    with tempfile.TemporaryDirectory(prefix="loci-test-") as folder:
        environment["HOME"] = folder
        needs, files, steps = ([], {}, parse_document(text)) if is_document else parse_golden(text)
        for need in needs:
            if subprocess.run(["sh", "-c", need], cwd=folder, env=environment, capture_output=True,
                              check=False).returncode != 0:
                print(f"{path}: SKIPPED, this fails: {need}")
                return SKIPPED
        if not steps:
            print(f"{path}: SKIPPED, nothing to run")
            return SKIPPED
        for name, content in files.items():
            file = pathlib.Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        for step in steps:
            results[step.line] = run(step, folder, environment)
            fault = difference(step, *results[step.line])
            if fault and not update:
                faults += 1
                print(f"{path}:{step.line}: $ {step.command}\n{fault}")
    if update and not is_document:
        path.write_text(update_golden(text, results), encoding="utf-8")
    print(f"{path.name}: {len(steps)} commands, {faults} faults")
    return 1 if faults else 0


def self_test():
    """The runner must see a difference in each of the three, and its own wildcards."""
    step = Step("x", 1)
    step.stdout, step.stderr, step.code = ["a {*} c", "...", "{hex:4}"], ["e"], 3
    assert not difference(step, "a b c\nany\nlines\n01af\n", "e\n", 3)
    assert difference(step, "a b d\n01af\n", "e\n", 3)
    assert difference(step, "a b c\n01ag\n", "e\n", 3)
    assert difference(step, "a b c\n01af\n", "", 3)
    assert difference(step, "a b c\n01af\n", "e\n", 0)
    golden = "# comment\n@ f\n| x\n$ cat\n< in\n> old\n= 1\n\n$ next\n"
    assert update_golden(golden, {4: ("in\n", "", 0), 9: ("n", "e\n", 2)}) == (
        "# comment\n@ f\n| x\n$ cat\n< in\n> in\n\n$ next\n> n\n> \\ no newline\n! e\n= 2\n")
    assert parse_golden(golden)[1] == {"f": "x\n"}
    document = parse_document("text\n```console\n$ a \\\n  b\nout\n```\n$ no\n")
    assert len(document) == 1 and document[0].stdout == ["out"]
    assert document[0].command == "a \\\n  b 2>&1"
    with tempfile.TemporaryDirectory() as folder:
        golden_file = pathlib.Path(folder, "x.test")
        golden_file.write_text("$ echo a; echo b >&2; exit 3\n> a\n! b\n= 3\n", encoding="utf-8")
        assert run_file(golden_file, "/nonexistent", False) == 0
        golden_file.write_text("$ echo a\n> b\n", encoding="utf-8")
        assert run_file(golden_file, "/nonexistent", False) == 1
    print("transcript.py: the runner sees what it should")


def main():
    parser = argparse.ArgumentParser(description="Runs transcripts of shell sessions.")
    parser.add_argument("--bin", type=pathlib.Path, default="build/bin", help="the folder of the program loci")
    parser.add_argument("--update", action="store_true", help="write what was printed into goldens")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        return 0
    if not (arguments.bin / "loci").exists():
        raise SystemExit(f"{arguments.bin} has no program loci; name its folder by --bin")
    codes = [run_file(f, arguments.bin.resolve(), arguments.update)
             for f in arguments.files]
    return 1 if 1 in codes or not codes else codes[0]


if __name__ == "__main__":
    sys.exit(main())
