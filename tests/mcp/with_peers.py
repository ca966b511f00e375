#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# with_peers.py SCRIPT.mjs [ARGS]: runs a script of tests/mcp or bench/mcp by node with the packages of
# package-lock.json, the official client of the Model Context Protocol and what else Loci is tried
# beside. They are installed once, below build/, never into the sources; a change of the lock file
# makes a new folder. Exits with 77, and says why, where node, npm or the registry is missing.
#
# Node looks for packages in the folders above a script. A link below the installed folder stands for
# the script's own, and node is told to take the link for the place.

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEAST_NODE = 18  # what the SDK states; Debian 12 has 18


def skip(why):
    print(f"SKIPPED: {why}", file=sys.stderr)
    sys.exit(77)


def install():
    """The folder that holds node_modules as the lock file has them."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip(f"{program} is missing; `apt-get install nodejs npm` brings it")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.strip().lstrip("v").split(".")[0]) < LEAST_NODE:
        skip(f"node {version.stdout.strip()} is older than {LEAST_NODE}")
    lock = (HERE / "package-lock.json").read_bytes()
    folder = ROOT / "build" / ("mcp-peers-" + hashlib.sha256(lock).hexdigest()[:12])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # tests start at once
        if not (folder / "installed").exists():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, folder / name)
            done = subprocess.run(
                ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline",
                 "--loglevel=error"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, check=False)
            if done.returncode != 0:
                skip(f"npm cannot install the packages: {done.stderr.strip()[:500]}")
            for name, place in (("tests", HERE), ("bench", ROOT / "bench" / "mcp")):
                (folder / name).unlink(missing_ok=True)
                (folder / name).symlink_to(place)
            (folder / "installed").touch()
    return folder


def main():
    script = pathlib.Path(sys.argv[1]).resolve()
    folder = install()
    link = folder / ("tests" if script.parent == HERE else "bench") / script.name
    os.environ["LOCI_PEERS"] = str(folder / "node_modules")
    os.execvp("node", ["node", "--preserve-symlinks", "--preserve-symlinks-main", str(link),
                       *sys.argv[2:]])


if __name__ == "__main__":
    main()
