"""Starting a browser on a page, and ending it: an app window of its own where there is one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Final

ON_PATH: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
    "brave",
)
"""Browsers that know app windows, as they are called on PATH."""

ON_MACOS: Final = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)
"""Where they lie in a folder of applications."""

ON_WINDOWS: Final = (
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
    r"Chromium\Application\chrome.exe",
)
"""Where they lie in a folder of programs."""

PROGRAM_FOLDERS: Final = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")

SIZE: Final = "1280,900"
"""Of an app window, in pixels."""

GRACE: Final = 3.0
"""A browser has so many seconds to end by itself."""


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Whether a window can be shown here."""
    if platform in {"win32", "darwin", "cygwin"}:
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def find_browser(
    platform: str = sys.platform, environment: Mapping[str, str] = os.environ
) -> str | None:
    """A browser that can show a page in an app window; None when there is none."""
    for name in ON_PATH:
        if (found := shutil.which(name, path=environment.get("PATH", os.defpath))) is not None:
            return found
    for path in _usual_places(platform, environment):
        if path.is_file():
            return str(path)
    return None


def _usual_places(platform: str, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield from (folder / name for name in ON_MACOS)
    elif platform == "win32":
        for variable in PROGRAM_FOLDERS:
            if folder_name := environment.get(variable):
                yield from (Path(folder_name, name) for name in ON_WINDOWS)


class AppWindow:
    """An app window, in a browser of its own with a fresh profile.

    Args:
        browser: the path of the browser.
        link: what it shows.

    Raises:
        OSError: the browser cannot be started.
    """

    def __init__(self, browser: str, link: str) -> None:
        self._profile = tempfile.mkdtemp(prefix="tabletop-window-")
        words = [
            browser,
            f"--app={link}",
            f"--user-data-dir={self._profile}",
            f"--window-size={SIZE}",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-background-networking",
            "--disable-sync",
            "--password-store=basic",
        ]
        try:
            self._process = _start(words)
        except OSError:
            shutil.rmtree(self._profile, ignore_errors=True)
            raise

    @property
    def runs(self) -> bool:
        """Whether it is still there."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the browser with all that it has started, and remove its profile."""
        with suppress(subprocess.TimeoutExpired):
            self._signal(signal.SIGTERM)
            self._process.wait(GRACE)
        self._signal(KILL)
        self._process.wait()
        for _ in range(20):  # what it had started may write for a moment longer
            shutil.rmtree(self._profile, ignore_errors=True)
            if not os.path.exists(self._profile):
                break
            sleep(0.05)

    def _signal(self, number: int) -> None:
        """Send a signal to the browser and what it has started; they are a group of their own."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            elif self.runs:
                self._process.terminate()


KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


def open_default(link: str) -> subprocess.Popen[bytes]:
    """Show a page in the default browser, which stays when this program ends.

    In a process of its own: what it says goes nowhere, and nobody waits for it.

    Returns:
        That process; it has to be kept, and looked after with `poll`.

    Raises:
        OSError: it cannot be started.
    """
    return _start([sys.executable, "-I", "-m", "webbrowser", link])


def _start(words: list[str]) -> subprocess.Popen[bytes]:
    """Start a program of which nothing is heard, and that hears no Ctrl-C."""
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(
        words, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
    )
