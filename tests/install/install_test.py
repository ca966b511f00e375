#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What others build on: installs into a folder, builds the examples against it, by CMake and by
# pkg-config, and holds what each prints to what its header comment says; then makes the Debian
# package and runs the command out of it.
#
#   install_test.py BUILD_FOLDER

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*command, **options):
    """The standard output of a command that must succeed."""
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed with {done.returncode}:\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def transcript(source):
    """What the header comment of an example shows: the arguments and the output."""
    shown = re.findall(r"^(?://| \*)   (.*)$", source.read_text(), re.M)
    assert shown and shown[0].startswith("$ "), f"{source} shows no run of itself"
    return shown[0], "\n".join(shown[1:]) + "\n"


def check_examples(programs, scratch, environment):
    for name in ["remember.cc", "recall.cc", "erase.cc", "share.cc", "ask.c"]:
        command, expected = transcript(ROOT / "examples" / name)
        script = command.removeprefix("$ ")
        got = run("sh", "-c", f"exec {programs}/{script}", cwd=scratch, env=environment)
        assert got == expected, f"{name}: {command}\nprinted\n{got}instead of\n{expected}"


def check_package(build, scratch):
    """The package has what it should and names what it needs; its command runs."""
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", scratch / "package")
    [package] = (scratch / "package").glob("*.deb")
    fields = run("dpkg-deb", "--field", package)
    for needed in ["libc6", "libstdc++6", "libssl3", "libzstd1"]:
        assert needed in fields, f"the package does not depend on {needed}:\n{fields}"
    tree = scratch / "tree"
    run("dpkg-deb", "--extract", package, tree)
    for path in ["usr/bin/loci", "usr/lib/libloci.so", "usr/include/loci/memory.h",
                 "usr/share/doc/loci/copyright", "usr/share/man/man1/loci.1",
                 "usr/share/bash-completion/completions/loci",
                 "usr/share/zsh/vendor-completions/_loci"]:
        assert (tree / path).exists(), f"{path} is not in the package"
    for path in tree.rglob("*"):
        assert not path.is_symlink() or path.exists(), f"{path} points nowhere"
    version = run(tree / "usr/bin/loci", "--version")
    assert version.split()[-1] in package.name, f"{version} is not the version of {package.name}"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="loci-install-"))
    try:
        prefix = scratch / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        run("cmake", "-S", ROOT / "examples", "-B", scratch / "examples", "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", scratch / "examples")
        check_examples(scratch / "examples", scratch, os.environ)

        environment = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig"),
                           LD_LIBRARY_PATH=str(prefix / "lib"))
        flags = run("pkg-config", "--cflags", "--libs", "loci", env=environment).split()
        run("cc", "-std=c99", ROOT / "examples/ask.c", *flags, "-o", scratch / "ask")
        got = run(scratch / "ask", "assistant.loci", "likes(bob, ?what)", cwd=scratch,
                  env=environment)
        assert got == "what=coffee\n  likes(bob, coffee) from chat-2\n", got

        check_package(build, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
