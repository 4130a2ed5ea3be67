"""Start a browser on a page and end it, as an app window if a browser supports that."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import sleep
from typing import Final

BROWSERS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
    "brave",
)
"""Browsers that support app windows, by their names on PATH."""

PLACES: Final[Mapping[str, Sequence[str]]] = {
    "darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
    ),
    "win32": (
        r"${PROGRAMFILES}\Google\Chrome\Application\chrome.exe",
        r"${LOCALAPPDATA}\Google\Chrome\Application\chrome.exe",
        r"${LOCALAPPDATA}\Chromium\Application\chrome.exe",
        r"${PROGRAMFILES}\BraveSoftware\Brave-Browser\Application\brave.exe",
        r"${PROGRAMFILES(X86)}\Microsoft\Edge\Application\msedge.exe",
    ),
}
"""The paths of browsers on systems that do not have them on PATH."""

SIZE: Final = "1280,900"  # width and height of an app window, in pixels
GRACE: Final = 3.0  # seconds to wait until a browser ends by itself

KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Check whether this machine can display a window."""
    if platform in {"win32", "darwin", "cygwin"}:
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def find_browser(platform: str = sys.platform) -> str | None:
    """Return a browser that can display a page in an app window, or None if there is none."""
    places = map(os.path.expandvars, PLACES.get(platform, ()))
    return next(filter(None, map(shutil.which, (*BROWSERS, *places))), None)


class AppWindow:
    """An app window of a browser with a fresh profile. `OSError` is raised if it cannot start."""

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
        """True while the browser runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the browser and all its child processes, and remove its profile."""
        with suppress(subprocess.TimeoutExpired):
            self._signal(signal.SIGTERM)
            self._process.wait(GRACE)
        self._signal(KILL)
        self._process.wait()
        for _ in range(20):  # child processes may write for a moment longer
            shutil.rmtree(self._profile, ignore_errors=True)
            if not os.path.exists(self._profile):
                break
            sleep(0.05)

    def _signal(self, number: int) -> None:
        """Send a signal to the process group of the browser."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            elif self.runs:
                self._process.terminate()


def open_default(link: str) -> subprocess.Popen[bytes]:
    """Open a page in the default browser, which stays open when this program ends.

    A separate process without output starts the browser, and this program does not wait for it.
    `OSError` is raised if that process cannot start.
    """
    return _start([sys.executable, "-I", "-m", "webbrowser", link])


def _start(words: list[str]) -> subprocess.Popen[bytes]:
    """Start a program without input and output that does not receive Ctrl-C."""
    null = subprocess.DEVNULL
    return subprocess.Popen(words, stdin=null, stdout=null, stderr=null, start_new_session=True)
