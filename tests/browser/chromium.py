"""Which Chromium the tests drive, and what is said where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""What it is called on one machine and another."""

ADVICE: Final = "apt-get install chromium, or set TABLETOP_CHROMIUM=PATH"

DISABLED: Final = (
    # Two pages that wait in each window for somebody to type an address: half of a window's time.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # A process that computes even if nothing is played.
    "AudioServiceOutOfProcess",
    # Those that Playwright turns off. Of several lists, Chromium heeds the last.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What Chromium does without: pages of its own, and requests to others."""

ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--in-process-gpu",
    "--process-per-site",
    f"--disable-features={','.join(DISABLED)}",
)
"""In a container there are no rights for a sandbox, little shared memory, and no graphics card.
Pages of one site share a process: starting one takes longer than most tests."""


def find_chromium(environment: Mapping[str, str] = os.environ) -> str | None:
    """The path of the browser, or None: TABLETOP_CHROMIUM, else the first that is installed."""
    chosen = environment.get("TABLETOP_CHROMIUM")
    if chosen:
        return shutil.which(chosen, path=environment.get("PATH"))
    found = (shutil.which(name, path=environment.get("PATH")) for name in NAMES)
    return next((path for path in found if path), None)


def missing(environment: Mapping[str, str] = os.environ) -> str:
    """Why there is no browser, and what helps."""
    chosen = environment.get("TABLETOP_CHROMIUM")
    why = f"TABLETOP_CHROMIUM={chosen} is no program" if chosen else "no Chromium was found"
    return f"{why}; {ADVICE}"


def is_demanded(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a missing browser is a failure: in continuous integration."""
    return environment.get("CI", "").strip().casefold() not in {"", "0", "false", "no"}
