"""The build backend: setuptools, which packages the README with whole links.

setuptools uses `EggInfo` for every build (`[tool.setuptools.cmdclass]` in `pyproject.toml`), and
finds it because pip puts the folder of this backend on the path (`backend-path`). The file
`README.md` keeps its relative links, which a forge and a checkout follow.
"""

import re
from typing import Final

from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.egg_info import egg_info

__all__ = [
    "EggInfo",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
    "with_whole_links",
]

_RELATIVE: Final = re.compile(r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?!\w+:|#)(?P<path>[^)]*)\)")


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


class EggInfo(egg_info):  # type: ignore[misc]
    """Write the metadata of a build, with whole links in the long description."""

    def run(self) -> None:
        """Replace the long description, and write the metadata."""
        metadata = self.distribution.metadata
        metadata.long_description = with_whole_links(
            metadata.long_description, metadata.project_urls["Source"], f"v{metadata.version}"
        )
        super().run()
