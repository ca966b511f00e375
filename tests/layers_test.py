#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The architecture, held: who includes whom (layers.txt), an SPDX line and a header comment in every
# source file, no file too long, no link between documents that leads nowhere. Prints file:line: what, one a line, and fails if there is any.

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_LINES = 1500
SOURCE_SUFFIXES = {".h", ".cc", ".py", ".pyi", ".mjs", ".sh", ".cmake", ".test"}
SOURCE_NAMES = {"CMakeLists.txt", "Makefile", "run", "bootstrap", "demo"}
FOLDERS = ["include", "src", "apps", "tests", "bench", "scripts", "cmake", "examples", "fabric", "fuzz", "python", ".ci"]
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def read_layers(text):
    """The transitive closure of layers.txt: folder -> set of folders it may include."""
    direct = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            name, _, below = line.partition(":")
            direct[name.strip()] = below.split()
    closure = {}
    for name, below in direct.items():  # the file lists what is below before what is above
        closure[name] = {name}.union(*[closure[b] for b in below])
    return closure


def source_files():
    files = [ROOT / "CMakeLists.txt", ROOT / "Makefile"]
    for folder in FOLDERS:
        files += sorted((ROOT / folder).rglob("*"))
    made = {"__pycache__", "node_modules"}
    return [f for f in files if f.is_file() and not made.intersection(f.parts)
            and (f.suffix in SOURCE_SUFFIXES or f.name in SOURCE_NAMES)]


def include_faults(path, lines, layers):
    """Yields (line number, fault) for each include that an arrow forbids."""
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, name = match.group(1) == '"', match.group(2)
        folder = name.split("/")[0]
        ours = folder == "loci" or folder in layers
        if path.parts[0] == "include":
            if quoted and folder != "loci":
                yield number, f"the public API may not include {name}"
            if not quoted and "/" in name:
                yield number, f"the public API needs nothing but the standard library, not {name}"
        elif path.parts[0] == "src":
            if quoted and not ours:
                yield number, f'"{name}" is not a path from src/ or include/'
            if quoted and folder in layers and folder not in layers.get(path.parts[1], set()):
                yield number, f"{path.parts[1]} may not include {name} (tests/layers.txt)"
        elif path.parts[0] == "apps":
            if quoted and folder not in ("command", "loci"):
                yield number, f"an app is a main over src/command, not over {name}"


def header_faults(lines, has_header):
    """Yields (line number, fault) where the file does not open with licence and purpose.

    What x.cc and x_test.cc are for may be said in the x.h beside them, or x.cc (has_header).
    """
    opening = [line.lstrip("/#*- ").strip() for line in lines[:4]]
    if not any(line == "SPDX-License-Identifier: Apache-2.0" for line in opening):
        yield 1, "the SPDX line is missing"
    if len(lines) > 1 and lines[1].startswith('"""') and len(lines[1]) > 6:
        return  # a module of Python says it to its users
    comment = []
    for line in lines[:8]:
        if not line.startswith(("//", "#")) or line.startswith(("#include", "#pragma")):
            break
        comment.append(line.lstrip("/#! ").strip())
    told = [c for c in comment if c and not c.startswith(("SPDX", "/usr/bin"))]
    if not told and not has_header:
        yield 2, "no comment says what the file is for"


def link_faults(document):
    """Yields (line number, fault) for each link of a document to a file that is not there."""
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        for target in re.findall(r"\]\(([^)#\s]+)", line):
            if "://" not in target and not (document.parent / target).exists():
                yield number, f"{target} does not exist"


def main():
    layers = read_layers((ROOT / "tests/layers.txt").read_text())
    faults = []
    modules = {p.name for p in (ROOT / "src").iterdir() if p.is_dir() and any(p.glob("*.cc"))}
    for module in sorted(modules - set(layers)):
        faults.append(f"src/{module}: not in tests/layers.txt")
    files = source_files()
    for file in files:
        path = file.relative_to(ROOT)
        lines = file.read_text(encoding="utf-8").splitlines()
        subject = file.with_name(file.stem.removesuffix("_test") + ".h")
        if file.stem.endswith("_test") and not subject.exists():
            subject = subject.with_suffix(".cc")
        found = list(header_faults(lines, file.suffix == ".cc" and subject.exists()))
        if file.suffix in {".h", ".cc"}:
            found += include_faults(path, lines, layers)
        if len(lines) > MOST_LINES:
            found.append((len(lines), f"longer than {MOST_LINES} lines"))
        faults += [f"{path}:{number}: {fault}" for number, fault in found]
    for document in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        faults += [f"{document.relative_to(ROOT)}:{number}: {fault}"
                   for number, fault in link_faults(document)]
    for fault in faults:
        print(fault)
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults or not files else 0


def self_test():
    """The checks must see what they are for."""
    layers = read_layers("base:\nimage: base\nstore: image\n")
    assert layers["store"] == {"store", "image", "base"}
    bad = pathlib.Path("src/base/x.cc")
    assert list(include_faults(bad, ['#include "image/y.h"'], layers))
    assert list(include_faults(bad, ['#include "y.h"'], layers))
    assert not list(include_faults(bad, ['#include "base/y.h"', "#include <vector>"], layers))
    assert list(include_faults(pathlib.Path("include/loci/a.h"), ['#include "base/y.h"'], layers))
    assert list(include_faults(pathlib.Path("include/loci/a.h"), ["#include <fmt/core.h>"], layers))
    licence = "// SPDX-License-Identifier: Apache-2.0"
    assert list(header_faults(["#pragma once"], True))
    assert list(header_faults([licence, "#include <vector>"], False))
    assert not list(header_faults([licence, "#include <vector>"], True))
    assert not list(header_faults([licence, "//", "// Purpose."], False))
    assert list(header_faults(["# SPDX-License-Identifier: Apache-2.0", "import re"], False))
    assert not list(header_faults(["# SPDX-License-Identifier: Apache-2.0", '"""Purpose."""'], False))


if __name__ == "__main__":
    self_test()
    sys.exit(main())
