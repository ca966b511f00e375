# SPDX-License-Identifier: Apache-2.0
"""Every example in a docstring of the package, as it stands. `path` is that of a fresh memory."""

import doctest
import importlib
import pathlib
import pkgutil
import sys
import tempfile

import loci


def main() -> int:
    folder = pathlib.Path(loci.__file__).parent
    names = ["loci"] + [f"loci.{m.name}" for m in pkgutil.iter_modules([str(folder)])
                        if m.name not in ("_loci", "adapters")]
    attempted = failed = 0
    for name in names:
        module = importlib.import_module(name)
        for example in doctest.DocTestFinder(exclude_empty=True).find(module, name):
            with tempfile.TemporaryDirectory() as temporary:
                example.globs.update(vars(loci), loci=loci, path=f"{temporary}/memory")
                found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
            attempted += found.attempted
            failed += found.failed
    print(f"{attempted} examples, {failed} failed")
    return 1 if failed or attempted < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
