#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What is made of the table of verbs for other programs does what it should in them: the manual page
# in mandoc and groff, the completions in a bash and a zsh at a terminal.
#
# Usage: generated_test.py man|bash|zsh FOLDER_OF_LOCI

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from terminal import Terminal

SKIPPED = 77
PROMPT = r"READY> "


def needs(*programs):
    for program in programs:
        if shutil.which(program) is None:
            print(f"SKIPPED: {program} is missing")
            sys.exit(SKIPPED)


def generated(bin_folder, flag):
    return subprocess.run([bin_folder / "loci", "help", flag], check=True, capture_output=True,
                          text=True).stdout


def verbs_of(bin_folder):
    text = subprocess.run([bin_folder / "loci", "help"], check=True, capture_output=True,
                          text=True).stdout
    return [line.split()[0] for line in text.splitlines() if line.startswith("  ")]


def check_man(bin_folder, folder):
    needs("mandoc", "groff")
    page = folder / "loci.1"
    page.write_text(generated(bin_folder, "--man"), encoding="utf-8")
    for checker in (["mandoc", "-T", "lint", "-W", "style"], ["groff", "-man", "-ww", "-z"]):
        done = subprocess.run([*checker, page], capture_output=True, text=True, check=False)
        assert done.stdout + done.stderr == "", f"{checker}: {done.stdout}{done.stderr}"
    shown = subprocess.run(["mandoc", "-T", "utf8", page], capture_output=True, text=True,
                           check=True).stdout
    plain = " ".join(re.sub(".\b", "", shown).split())
    for verb in verbs_of(bin_folder):
        assert f"loci {verb} " in plain, f"{verb} is not in the page"
    # Characters that roff has a use for.
    for text in ("hypernym+(dog, ?x) follow a relation: r/s ^r r+ r* r? (r|s)", "~/.editrc",
                 "'capital_of(?city, france)'", ".help lists them"):
        assert text in plain, f"{text} is not in the page"


def check_shell(terminal, finish):
    """Types the beginning of a command and Tab: what the command gets is what was meant."""

    def completes(typed, expected):
        terminal.type(typed + "\t")
        terminal.type(finish)
        terminal.expect(expected)
        terminal.expect(PROMPT)

    # loci is a function that prints its arguments, each in brackets.
    completes("loci conso", r"\[consolidate\]")
    completes("loci learn wor", r"\[learn\]\[world\.loci/?\]")
    completes("loci learn world.loci fac", r"\[world\.loci\]\[facts\.tsv\]")
    completes("loci learn world.loci facts.tsv mo", r"\[facts\.tsv\]\[more\.tsv\]")
    completes("loci learn world.loci --form", r"\[--format=?\]")
    completes("loci learn world.loci --format mark", r"\[--format\]\[markdown\]")
    completes("loci learn --source x wor", r"\[--source\]\[x\]\[world\.loci/?\]")
    completes("loci export world.loci --format nq", r"\[nquads\]")
    completes("loci ask world.loci --evi", r"\[--evidence\]")
    completes("loci config world.loci slo", r"\[slow_query_ms\]")
    completes("loci help upg", r"\[upgrade\]")
    completes("loci copy wor", r"\[copy\]\[world\.loci/?\]")
    completes("loci --ver", r"\[--version\]")
    # A value that is anything is not made a name of a file.
    completes("loci learn world.loci --source fac", r"\[--source\]\[fac\]")


FUNCTION = "loci() { printf '['; printf '%s' \"$1\"; shift; printf '][%s' \"$@\"; echo ']'; }"


def check_bash(bin_folder, folder, environment):
    needs("bash")
    (folder / "completion").write_text(generated(bin_folder, "--bash"), encoding="utf-8")
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], folder, environment)
    terminal.type("PS1='REA''DY> '; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'\n")
    terminal.expect(PROMPT)
    terminal.type(f". ./completion; {FUNCTION}\n")
    terminal.expect(PROMPT)
    check_shell(terminal, "\n")
    terminal.type("exit\n")
    assert terminal.wait() == 0


def check_zsh(bin_folder, folder, environment):
    needs("zsh")
    functions = folder / "functions"
    functions.mkdir()
    (functions / "_loci").write_text(generated(bin_folder, "--zsh"), encoding="utf-8")
    terminal = Terminal(["zsh", "-f", "-i"], folder, environment)
    terminal.type("PS1='REA''DY> '; unsetopt zle_bracketed_paste; unset zle_bracketed_paste; "
                  "fpath=(./functions $fpath); autoload -Uz compinit; compinit -u -d ./dump\n")
    terminal.expect(PROMPT)
    terminal.type(f"{FUNCTION}\n")
    terminal.expect(PROMPT)
    check_shell(terminal, "\n")
    terminal.type("exit\n")
    assert terminal.wait() == 0


def main():
    what, bin_folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if what == "man":
            check_man(bin_folder, folder)
        else:
            (folder / "world.loci").mkdir()
            (folder / "facts.tsv").touch()
            (folder / "more.tsv").touch()
            environment = {"PATH": os.environ["PATH"], "TERM": "dumb", "LC_ALL": "C.UTF-8",
                           "HOME": str(folder)}
            {"bash": check_bash, "zsh": check_zsh}[what](bin_folder, folder, environment)
    print(f"{what}: as it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
