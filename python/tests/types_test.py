# SPDX-License-Identifier: Apache-2.0
"""The types that the package states: mypy finds them consistent, and stubtest finds the stub of the
extension to be what the extension has. Skipped, with 77, where mypy is missing."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

import loci

PACKAGE = pathlib.Path(loci.__file__).parent
# What pybind11 gives classes besides: its metaclass, and a constructor that refuses to those that
# only the extension makes.
PYBIND11 = r"""
loci\._loci\.[A-Z]\w+
loci\._loci\.(Answers|Recollection|Statements)\.__init__
"""


def run(*arguments: str) -> int:
    # Caches and configuration of whoever runs the test are not read.
    with tempfile.TemporaryDirectory() as temporary:
        environment = dict(os.environ, MYPYPATH=str(PACKAGE.parent), MYPY_CACHE_DIR=temporary)
        return subprocess.run([sys.executable, "-m", *arguments], env=environment, cwd=temporary,
                              check=False).returncode


def main() -> int:
    if importlib.util.find_spec("mypy") is None:
        print("Skipped: mypy is not installed (apt-get install mypy)")
        return 77
    failed = run("mypy", "--config-file=", "--disallow-untyped-defs", "--warn-unused-ignores",
                 "--ignore-missing-imports", "-p", "loci")
    with tempfile.NamedTemporaryFile("w", suffix=".allowed") as allowed:
        allowed.write(PYBIND11)
        allowed.flush()
        return failed or run("mypy.stubtest", "loci._loci", "--allowlist", allowed.name)


if __name__ == "__main__":
    sys.exit(main())
