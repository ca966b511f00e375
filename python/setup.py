# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: the version, which CMakeLists.txt has, and the extension.

CMake builds the extension: in build/, as `make build` does; or it was built in the folder that
LOCI_BUILD names. Nothing is written beside the sources.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("LOCI_BUILD", SOURCE / "build"))
VERSION = re.search(r"project\(loci VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
PACKING = BUILD / "wheel/setup"  # of which setuptools would pack what an earlier run left there


class ByCMake(build_ext):
    def build_extension(self, ext):
        if "LOCI_BUILD" not in os.environ:
            subprocess.run(["cmake", "--preset", "release", "-DLOCI_PYTHON=ON", "-DLOCI_TESTS=OFF",
                            f"-DLOCI_PYTHON_EXECUTABLE={sys.executable}"], cwd=SOURCE, check=True)
            subprocess.run(["cmake", "--build", BUILD, "--target", "loci_python"], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(BUILD / "python/loci" / target.name, target)


shutil.rmtree(PACKING, ignore_errors=True)
PACKING.mkdir(parents=True)
setup(version=VERSION, ext_modules=[Extension("loci._loci", [])], cmdclass={"build_ext": ByCMake},
      options={"build": {"build_base": str(PACKING)}, "egg_info": {"egg_base": str(PACKING)}})
