"""The build backend: setuptools, which packages the README with whole links, and the documentation.

If the environment variable TABLETOP_COMPILED is 1, a wheel contains the modules in `COMPILED` as
extension modules for the present Python and machine, compiled by mypyc. Otherwise, and in editable
installs, all modules are pure Python.

setuptools uses `EggInfo` and `BuildPy` (`[tool.setuptools.cmdclass]` in `pyproject.toml`), and
finds them because pip puts the folder of this backend on the path (`backend-path`). The file
`README.md` keeps its relative links, which a forge and a checkout follow.
"""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from setuptools import Extension, build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

from tools import text_pages

__all__ = [
    "COMPILED",
    "BuildPy",
    "EggInfo",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "extensions",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
    "with_whole_links",
]

COMPILED: Final = (
    "tabletop.rng.hash_stream",
    "tabletop.bots.search_tree",
    "sorcery.rules.engine",
    "sorcery.rules.legal",
    "sorcery.rules.minion_stats",
    "sorcery.rules.apply_actions",
    "sorcery.bots.evaluation",
)
"""The modules to compile. CONTRIBUTING.md explains which modules can be compiled."""

_IS_COMPILED: Final = os.environ.get("TABLETOP_COMPILED") == "1"
_RELATIVE: Final = re.compile(r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?!\w+:|#)(?P<path>[^)]*)\)")


def get_requires_for_build_wheel(
    config_settings: Mapping[str, str | list[str]] | None = None,
) -> list[str]:
    """Return the packages that the build needs, with mypyc if modules are to be compiled."""
    packages = build_meta.get_requires_for_build_wheel(config_settings)
    return [*packages, "mypy[mypyc]>=2.4,<3"] if _IS_COMPILED else packages


def extensions() -> list[Extension]:
    """Return the extension modules, which are empty unless a wheel with them is being built.

    mypyc writes their C files into `build`.
    """
    if not _IS_COMPILED or "bdist_wheel" not in sys.argv:
        return []
    from mypyc.build import mypycify

    options = ["--config-file=", "--cache-dir=build/mypy", "--follow-imports=silent"]
    paths = [f"src/{name.replace('.', '/')}.py" for name in COMPILED]
    return mypycify([*options, *paths], opt_level="3", group_name="tabletop_rules")


def with_whole_links(text: str, source: str, tag: str) -> str:
    """Return Markdown whose relative links lead to the files of a release on a forge.

    Args:
        text: The Markdown.
        source: The address of the repository, from `[project.urls]`.
        tag: The tag of the release.
    """

    def whole(link: re.Match[str]) -> str:
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({source}/{kind}/{tag}/{link['path']})"

    return _RELATIVE.sub(whole, text)


class EggInfo(egg_info):
    """Write the metadata of a build, with whole links in the long description."""

    def run(self) -> None:
        """Replace the long description, and write the metadata."""
        metadata = self.distribution.metadata
        metadata.long_description = with_whole_links(
            metadata.long_description, metadata.project_urls["Source"], f"v{metadata.version}"
        )
        super().run()


class BuildPy(build_py):
    """Build the packages of a wheel, with the documentation in `tabletop/docs`."""

    def run(self) -> None:
        """Copy the packages, and write the documentation beside them."""
        super().run()
        if not self.editable_mode:
            text_pages.write(Path(self.build_lib, "tabletop", "docs"))
