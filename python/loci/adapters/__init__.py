# SPDX-License-Identifier: Apache-2.0
"""Loci behind the interfaces of other people's evaluation programs.

Each module is imported by itself, as it needs what it adapts to: ``from loci.adapters.beir import
Search``. Needs numpy.
"""
