# SPDX-License-Identifier: Apache-2.0
#
# The commands of every day. CMake does the work (CMakePresets.json); this names it.
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 30
FORMATTED = $(shell find $(wildcard apps bench examples fuzz include python src tests) -name '*.h' -o -name '*.cc')

.PHONY: help build test deb wheel demo debug asan tsan clang fuzz evidence-recall format check-format clean

help:  ## list these commands
	@sed -n 's/^\([a-z -]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 32

build:  ## build the programs into build/bin/
	scripts/bootstrap build
	cmake --preset release -DLOCI_TESTS=OFF
	cmake --build --preset release -j $(JOBS)

test:  ## run every test: optimized with GCC, then with Clang's sanitizers
	scripts/bootstrap test
	scripts/test $(JOBS)

deb: build  ## make the Debian package, build/package/loci_*.deb
	scripts/bootstrap test
	cd build && cpack -B package

wheel:  ## make the Python package, build/wheel/loci-*.whl
	scripts/bootstrap test
	rm -f build/wheel/*.whl
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) /usr/bin/python3 -m pip wheel --quiet \
	  --no-build-isolation --no-deps --no-index -w build/wheel ./python

demo:  ## learn all of WordNet into a fresh memory and ask it questions
	scripts/bootstrap demo
	cmake --preset release -DLOCI_TESTS=OFF
	cmake --build --preset release -j $(JOBS)
	scripts/demo

debug asan tsan clang:  ## build with that preset and run its tests
	scripts/bootstrap test
	cmake --preset $@
	cmake --build --preset $@ -j $(JOBS)
	ctest --test-dir build/$@ -j $(JOBS) --output-on-failure

fuzz:  ## let each fuzz target mutate its corpus for FUZZ_SECONDS
	scripts/bootstrap test
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzz_targets
	scripts/fuzz $(FUZZ_SECONDS)

evidence-recall: build  ## measure recall on the sets of LOCI_DATA, write the tables of docs/evidence.md
	scripts/evidence-recall

format:  ## format the sources in place
	clang-format -i $(FORMATTED)

check-format:  ## fail where format would change something
	clang-format --dry-run --Werror $(FORMATTED)

clean:  ## remove all that was built
	rm -rf build
