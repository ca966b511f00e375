#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# same_bytes.py PROGRAM PROGRAM...: builds of loci by different compilers, at different levels of
# optimization, for different machines, learn the same input. They must write the same image, byte
# for byte, and answer the same. The input is a generated mix of every kind of object, and WordNet,
# unless it is not installed or LOCI_SKIP_WORDNET is set, which is said.

import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

WORDNET = pathlib.Path("/usr/share/wordnet")
WORDNET_QUERIES = [
    "hypernym+(dog.n.01, ?x)",
    "(?x) <- hypernym+(?x, canine.n.02) limit 50",
    "?r(dog.n.01, ?x)",
    "?r(?x, dog.n.01)",
    "(?a, ?b) <- antonym(?a, ?b) order by ?b desc limit 100",
    "count(?x, ?n), ?n >= 200 order by ?n desc",
    "(?r) <- ?r(?x, ?y)",
]
MIX_QUERIES = [
    "?r(?x, ?y)",
    "?r(?x, ?y) order by ?y desc, ?r limit 500",
    "?r(?x, ?y), ?y >= 0",
    "?r(?x, ?y), ?y < 2000-01-01",
    '?r(?x, ?y), ?y > "m"',
    "(r1|^r2)+(n1, ?x)",
    "(r0/r1)*(?x, n3)",
    "r0(?x, ?y), r1(?y, ?z), not r2(?x, ?z) limit 1000",
    "?r(?x, ?y) from s1",
]


def mix_lines(lines):
    """Statements of every kind of object, as TSV; the same at each call."""
    rng = random.Random(7)
    stems = ["New York", "é", "e\u0301", "목적", "\U0001F600", "a\tb", "x>y\\z", "not", "ﬁ", "1998"]

    def name():
        if rng.random() < 0.8:
            return f"n{rng.randrange(200)}"
        text = rng.choice(stems) + str(rng.randrange(5))
        return "<" + text.replace("\\", "\\\\").replace(">", "\\>").replace("\t", "\\u0009") + ">"

    def thing():
        kind = rng.randrange(8)
        if kind == 0:
            digits = "".join(rng.choice("0123456789") for _ in range(rng.randrange(1, 30)))
            return f'"{rng.choice(["", "-"])}{digits}.{rng.randrange(1000)}"^^number'
        if kind == 1:
            return f'"{rng.randrange(1, 99)}e{rng.randrange(-6000, 6000)}"^^number'
        if kind == 2:
            date = f"{rng.choice(['', '-'])}{rng.randrange(1, 3000):04}"
            for part in (f"-{rng.randrange(1, 13):02}", f"-{rng.randrange(1, 29):02}",
                         f"T{rng.randrange(24):02}:{rng.randrange(60):02}", f":{rng.randrange(60):02}.{rng.randrange(10**9):09}",
                         rng.choice(["Z", "+02:00", "-11:30"])):
                if rng.random() < 0.2:
                    break
                date += part
            return f'"{date}"^^date'
        if kind == 3:
            return f'"text {rng.randrange(300)} \\"{rng.choice(stems[:5])}\\" \\n"@' + rng.choice(["en", "fr", "pt-BR"])
        if kind == 4:
            return f'"{rng.randrange(300)}"^^<type {rng.randrange(3)}>'
        if kind == 5:
            return '"' + "long " * rng.randrange(400) + '"'
        return name()

    for _ in range(lines):
        yield f"{name()}\tr{rng.randrange(4)}\t{thing()}\ts{rng.randrange(3)}"


class Build:
    """One program, with a memory of its own."""

    def __init__(self, program, folder):
        self.program = str(pathlib.Path(program).resolve())
        self.memory = folder / "memory.loci"
        self.seconds = 0.0

    def run(self, verb, *arguments, codes=(0,)):
        begin = time.monotonic()
        command = [self.program, verb, str(self.memory), *arguments]
        result = subprocess.run(command, capture_output=True, check=False)
        self.seconds += time.monotonic() - begin
        if result.returncode not in codes:
            sys.exit(f"{' '.join(command)}: exit code {result.returncode}\n{result.stderr.decode()}")
        return result.stdout

    def results(self, inputs, queries):
        """What must be the same, by what it is."""
        for file in inputs:
            self.run("learn", str(file))
        self.run("consolidate")
        found = {"digest": self.run("digest").decode().strip()}
        for file in self.memory.iterdir():
            kind = file.name.split("-")[0]
            if kind in ("image", "run", "model"):
                found[kind] = hashlib.sha256(file.read_bytes()).hexdigest()
        if "image" not in found or "run" in found:
            sys.exit(f"{self.program}: a consolidated memory is one image, not {sorted(found)}")
        for query in queries:
            out = self.run("ask", query, "--json", codes=(0, 1))
            found[f"answers of {query}"] = hashlib.sha256(out).hexdigest(), len(json.loads(out)["answers"])
        return found


def compare(programs, what, inputs, queries):
    """Faults, after a line that tells what each build gave."""
    first, faults = None, 0
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            build = Build(program, pathlib.Path(folder))
            found = build.results(inputs, queries)
        print(f"{what}: {program}: image {found['image'][:16]}, digest {found['digest'][:16]}, "
              f"{build.seconds:.1f} s")
        answers = [found[key][1] for key in found if key.startswith("answers")]
        if not all(answers):
            print(f"{what}: a query has no answer, so it compares nothing: {answers}")
            faults += 1
        first = first or found
        for key, value in found.items():
            if first.get(key) != value:
                print(f"{what}: {key} differs: {first.get(key)} by {programs[0]}, {value} by {program}")
                faults += 1
    return faults


def main(programs):
    if len(programs) < 2:
        sys.exit("usage: same_bytes.py PROGRAM PROGRAM...")
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        mix = pathlib.Path(folder) / "mix.tsv"
        mix.write_text("\n".join(mix_lines(20000)) + "\n", encoding="utf-8")
        faults += compare(programs, "mix", [mix], MIX_QUERIES)
    if WORDNET.is_dir() and not os.environ.get("LOCI_SKIP_WORDNET"):
        faults += compare(programs, "WordNet", [WORDNET], WORDNET_QUERIES)
    else:
        print("WordNet: Skipped, it is not installed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
