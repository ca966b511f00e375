# SPDX-License-Identifier: Apache-2.0
"""The wheel, made as `make wheel` makes it of the extension that is built already, installs into
an empty environment and works there, without numpy and with it."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

MISSING = [name for name in ("pip", "setuptools", "wheel") if not importlib.util.find_spec(name)]
if MISSING:
    print(f"skipped: no {MISSING[0]}; install python3-{MISSING[0]}", file=sys.stderr)
    sys.exit(77)

USE = """
import pathlib, sys
import loci, loci.adapters.beir
assert pathlib.Path(loci.__file__).is_relative_to(sys.prefix), loci.__file__
assert (pathlib.Path(loci.__file__).parent / "py.typed").exists()
with loci.Memory(sys.argv[1]) as memory:
    memory.learn([("paris", "capital_of", "france")], source="atlas")
    answers = memory.ask("capital_of(?city, ?land)", evidence=True)
    assert list(answers) == [("paris", "france")], answers
    assert answers[0].evidence[0].sources == ("atlas",)
    try:
        import numpy
    except ImportError:
        print("without numpy")
    else:
        assert answers.scores.tolist() == [1.0]
        print("with numpy")
"""


def main():
    source = pathlib.Path(os.environ["LOCI_SOURCE"])
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command):
        done = subprocess.run(command, env=clean, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return done.stdout

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        packed = [sys.executable, "-m", "pip", "--quiet"]
        run(*packed, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder,
            source / "python")
        [made] = folder.glob("loci-*.whl")
        for packages, expected in (([], "without numpy"), (["--system-site-packages"], "")):
            python = folder / f"env{len(packages)}/bin/python"
            run(sys.executable, "-m", "venv", "--without-pip", *packages, python.parent.parent)
            run(*packed, "--python", python, "install", "--no-deps", "--no-index", made)
            said = run(python, "-c", USE, folder / f"{len(packages)}.loci").strip()
            if expected not in said:
                sys.exit(f"expected {expected!r}, found {said!r}")
            print(f"{made.name}: {said}")


if __name__ == "__main__":
    main()
