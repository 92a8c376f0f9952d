"""Debian's Chromium, one for the whole test process, and pages that remember what went wrong in them."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Error, Page, Request, async_playwright

from tests.support.dashboard import DashboardClient

# The shell is the same browser without the window around the page. It takes about 40 % less CPU time.
_PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = next(filter(Path.exists, _PROGRAMS), None)
INSTALL = "Chromium is missing: apt-get install chromium"
_FLAGS = (
    "--no-sandbox",  # the suite may run as root
    "--headless",
    "--disable-gpu",
    "--in-process-gpu",  # a process less: about a tenth of the browser's work
    "--disable-features=PreloadTopChromeWebUI,WebUIOmniboxPopup",  # nobody sees the window around the page
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_SERIOUS = {"serious", "critical"}
_AXE = Axe()
# axe spends most of its time on contrast, and on describing what passes. The contrast of rows that look the same is
# measured once: of all texts whose element and parents have the same classes and colours, axe gets the first.
_RUN_AXE = """async () => {
    const known = new Map();
    const look = (element) => {
        if (!element) return "";
        if (!known.has(element)) {
            const style = getComputedStyle(element);
            const own = [element.tagName, element.className, style.color, style.backgroundColor, style.opacity,
                         style.fontSize, style.fontWeight, style.position, element.disabled];
            known.set(element, look(element.parentElement) + "/" + own.join());
        }
        return known.get(element);
    };
    const texts = new Map();
    for (const element of document.body.querySelectorAll("*")) {
        const holds = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if ((holds || element.matches("input, select, textarea")) && element.checkVisibility()) {
            const key = look(element);
            if (!texts.has(key)) texts.set(key, element);
        }
    }
    const brief = {resultTypes: ["violations"], preload: false};
    const rest = await axe.run({...brief, rules: {"color-contrast": {enabled: false}}});
    const contrast = await axe.run({include: [...texts.values()]}, {...brief, runOnly: ["color-contrast"]});
    return [...rest.violations, ...contrast.violations];
}"""


def require_chromium() -> Path:
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(INSTALL)
    return CHROMIUM


@asynccontextmanager
async def running_browser() -> AsyncIterator[Browser]:
    program = require_chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


class BrowserPage:
    """A page of one origin. Whatever it writes to the console or asks of other hosts is a fault."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.faults: list[str] = []
        self._has_axe = False
        self._documents: set[str] = set()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("request", self._see)

    def _hear(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        # A page that is refused has a 4xx of its own; beside a file the browser asks for its usual icon.
        expected = address in self._documents or address.endswith("/favicon.ico")
        refused = message.text.startswith("Failed to load resource") and expected
        if message.type in ("error", "warning") and not refused:
            self.faults.append(f"console: {message.text}")

    def _see(self, request: Request) -> None:
        if request.is_navigation_request():
            self._documents.add(request.url)
        parts = urlsplit(request.url)
        if f"{parts.scheme}://{parts.netloc}" != self.origin:
            self.faults.append(f"asked elsewhere: {request.url}")

    async def go(self, path: str) -> bool:
        """Whether what came is a page; the dashboard serves pictures too."""
        try:
            answer = await self.page.goto(self.origin + path)
        except Error as error:
            if "Download is starting" not in error.message:
                raise
            return False
        return answer is not None and answer.headers.get("content-type", "").startswith("text/html")

    async def use_session_of(self, dashboard: DashboardClient) -> None:
        cookie = {"name": "frontdesk_session", "value": dashboard.http.cookies["frontdesk_session"], "url": self.origin}
        await self.page.context.add_cookies([cookie])  # type: ignore[list-item]

    async def text(self, selector: str) -> str:
        return (await self.page.text_content(selector)) or ""

    async def accept(self) -> None:
        """What everybody must be able to use: nothing that axe calls serious, nothing wider than the screen."""
        await self._load_axe()
        violations = await self.page.evaluate(_RUN_AXE)
        serious = [_describe(one) for one in violations if one["impact"] in _SERIOUS]
        assert serious == [], self.page.url
        await self.check_layout()

    async def _load_axe(self) -> None:
        """To send the script to the browser costs as much as to run it, so that is done once for all documents."""
        if not self._has_axe:
            self._has_axe = True
            await self.page.evaluate(_AXE.axe_script)
            await self.page.add_init_script(f"window.loadAxe = function () {{ {_AXE.axe_script} }};")
        elif not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate("loadAxe()")

    async def check_layout(self) -> None:
        wide = await self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, self.page.url
        assert self.faults == [], (self.page.url, self.faults)


def _describe(violation: dict[str, Any]) -> str:
    return f"{violation['id']}: " + "; ".join(node["html"] for node in violation["nodes"])


@asynccontextmanager
async def open_page(browser: Browser, origin: str, **looks: Any) -> AsyncIterator[BrowserPage]:
    context = await browser.new_context(**looks)
    try:
        yield BrowserPage(await context.new_page(), origin)
    finally:
        await context.close()
