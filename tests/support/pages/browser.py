"""Debian's Chromium, one for the whole test process, and pages that remember what went wrong in them."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Error, Page, Request, async_playwright, expect

from tests.support.dashboard import DashboardClient
from tests.support.waiting import PATIENCE_SECONDS

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
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Bytes of the page as it was sent, its language, and by how much it is wider than the screen.
_MEASURES = f"""() => [
    performance.getEntriesByType("navigation")[0].decodedBodySize, document.documentElement.lang, {_OVERFLOW}
]"""
_SERIOUS = {"serious", "critical"}
_AXE = Axe()
# axe spends most of its time on contrast, and on describing what it found. The contrast of texts that look the same is
# measured once: the same colour, size and weight on the same backgrounds. What looks like a text whose contrast was
# sufficient on an earlier page of this test process is not measured again.
_FIND_TEXTS = """() => {
    const known = new Map();
    const ground = (element) => {
        if (!element) return "";
        if (!known.has(element)) {
            const style = getComputedStyle(element);
            const drawn = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.position];
            const isPlain = drawn.join() === "rgba(0, 0, 0, 0),none,1,none,static";
            const own = isPlain ? "" : "/" + [element.tagName, element.className, ...drawn].join();
            known.set(element, ground(element.parentElement) + own);
        }
        return known.get(element);
    };
    const look = (element) => {
        const style = getComputedStyle(element);
        const own = [element.tagName, style.color, style.fontSize, style.fontWeight, style.textShadow,
                     element.disabled, element.closest("label") !== null];
        return [ground(element), ...own].join();
    };
    window.texts = new Map();
    for (const element of document.body.querySelectorAll("*")) {
        const holds = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if ((holds || element.matches("input, select, textarea")) && element.checkVisibility()) {
            const key = look(element);
            if (!window.texts.has(key)) window.texts.set(key, element);
        }
    }
    return [...window.texts.keys()];
}"""
_LOOKS_WITH_CONTRAST: set[str] = set()
# Of `looks`, the places in what _FIND_TEXTS returned. Rules of a lower impact than the tests ask for are left out.
_RUN_AXE = """async (looks) => {
    const brief = {preload: false, selectors: false};
    const rules = {"color-contrast": {enabled: false}};
    for (const rule of axe._audit.rules)
        if (["minor", "moderate"].includes(rule.impact)) rules[rule.id] = {enabled: false};
    const {violations} = await axe.run({...brief, resultTypes: ["violations"], rules});
    const elements = [...window.texts.values()];
    if (looks.length === 0) return {violations, unmeasured: []};
    const contrast = await axe.run(
        {include: looks.map((place) => elements[place])},
        {...brief, resultTypes: ["violations", "incomplete"], runOnly: ["color-contrast"], elementRef: true},
    );
    const open = contrast.incomplete.flatMap((result) => result.nodes.map((node) => elements.indexOf(node.element)));
    for (const {nodes} of contrast.violations) for (const node of nodes) delete node.element;
    return {violations: [...violations, ...contrast.violations], unmeasured: open};
}"""


def require_chromium() -> Path:
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(INSTALL)
    return CHROMIUM


@asynccontextmanager
async def running_browser() -> AsyncIterator[Browser]:
    program = require_chromium()
    expect.set_options(timeout=PATIENCE_SECONDS * 1000)  # a busy machine may take longer than the usual five seconds
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


_MISSING_ICONS = """[...document.querySelectorAll("use")].map((use) => use.getAttribute("href"))
    .filter((href) => document.getElementById(href.slice(1))?.tagName !== "symbol")"""


class BrowserPage:
    """A page of one origin. Whatever it writes to the console or asks of other hosts is a fault."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.faults: list[str] = []
        self.status: int | None = None  # of the last page
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
        self.status = answer.status if answer is not None else None
        return answer is not None and answer.headers.get("content-type", "").startswith("text/html")

    async def use_session_of(self, dashboard: DashboardClient) -> None:
        cookie = {"name": "frontdesk_session", "value": dashboard.http.cookies["frontdesk_session"], "url": self.origin}
        await self.page.context.add_cookies([cookie])  # type: ignore[list-item]

    async def text(self, selector: str) -> str:
        return (await self.page.text_content(selector)) or ""

    async def accept(self) -> None:
        """What everybody must be able to use: nothing that axe calls serious, no icon without its drawing, and nothing
        wider than the screen.
        """
        await self.page.wait_for_load_state()  # the drawings of the icons are at the end of a page
        assert await self.page.evaluate(_MISSING_ICONS) == [], self.page.url
        await self._load_axe()
        looks: list[str] = await self.page.evaluate(_FIND_TEXTS)
        unknown = [place for place, look in enumerate(looks) if look not in _LOOKS_WITH_CONTRAST]
        found = await self.page.evaluate(_RUN_AXE, unknown)
        serious = [_describe(one) for one in found["violations"] if one["impact"] in _SERIOUS]
        assert serious == [], self.page.url
        _LOOKS_WITH_CONTRAST.update(looks[place] for place in set(unknown).difference(found["unmeasured"]))
        await self.check_layout()

    async def _load_axe(self) -> None:
        """To send the script to the browser costs as much as to run it, so that is done once for all documents."""
        if not self._has_axe:
            self._has_axe = True
            await self.page.evaluate(_AXE.axe_script)
            await self.page.add_init_script(f"window.loadAxe = function () {{ {_AXE.axe_script} }};")
        elif not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate("loadAxe()")

    async def check_size(self, language: str, max_bytes: int, *widths: int) -> None:
        """The page in its language, on this screen and on screens of other widths. It stays as wide as the last one."""
        sent, found, overflow = await self.page.evaluate(_MEASURES)
        assert (found, overflow <= 0, sent < max_bytes) == (language, True, True), (self.page.url, sent)
        screen = self.page.viewport_size
        assert screen is not None
        for width in widths:
            if width != screen["width"]:
                await self.page.set_viewport_size({"width": width, "height": screen["height"]})
                assert await self.page.evaluate(_OVERFLOW) <= 0, (self.page.url, width)
        assert self.faults == [], (self.page.url, self.faults)

    async def check_layout(self, *other_widths: int) -> None:
        """On this screen, and on screens of other widths."""
        assert await self.page.evaluate(_OVERFLOW) <= 0, self.page.url
        screen = self.page.viewport_size
        assert screen is not None
        for width in other_widths:
            await self.page.set_viewport_size({"width": width, "height": screen["height"]})
            assert await self.page.evaluate(_OVERFLOW) <= 0, (self.page.url, width)
        if other_widths:
            await self.page.set_viewport_size(screen)
        assert self.faults == [], (self.page.url, self.faults)


def _describe(violation: dict[str, Any]) -> str:
    return f"{violation['id']}: " + "; ".join(node["html"] for node in violation["nodes"])


@asynccontextmanager
async def open_page(browser: Browser, origin: str, **looks: Any) -> AsyncIterator[BrowserPage]:
    context = await browser.new_context(**looks)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    try:
        yield BrowserPage(await context.new_page(), origin)
    finally:
        await context.close()
