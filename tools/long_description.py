"""The README as an index of packages shows it: with whole links.

setuptools uses `EggInfo` for every build (`[tool.setuptools.cmdclass]` in `pyproject.toml`), so the
metadata of each source distribution and wheel contain this text. The file `README.md` keeps its
relative links, which a forge and a checkout follow.
"""

import re
from typing import Final

from setuptools.command.egg_info import egg_info

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
