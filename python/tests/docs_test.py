# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md, as they stand: its blocks of python, in order, in one session and
an empty folder. `...` stands for what may differ."""
import doctest
import importlib.util
import os
import pathlib
import re
import sys
import tempfile

MISSING = [name for name in ("numpy", "pandas") if not importlib.util.find_spec(name)]
if MISSING:
    print(f"skipped: no {MISSING[0]}; install python3-{MISSING[0]}", file=sys.stderr)
    sys.exit(77)


def main():
    page = pathlib.Path(os.environ["LOCI_SOURCE"]) / "docs/python.md"
    text = page.read_text(encoding="utf-8")
    # Lines keep their numbers, so that a failure names the line of the page.
    kept, inside = [], False
    for line in text.splitlines():
        if re.match(r"```", line):
            inside = line == "```python"
            kept.append("")
        else:
            kept.append(line if inside else "")
    example = doctest.DocTestParser().get_doctest("\n".join(kept) + "\n", {}, page.name, str(page), 0)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(example)
        os.chdir("/")
    print(f"{runner.tries} examples, {runner.failures} failures")
    return 1 if runner.failures or not runner.tries else 0


if __name__ == "__main__":
    sys.exit(main())
