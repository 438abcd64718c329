"""A learner on a platform: opens a unit, and what the platform then knows."""

from typing import Any

from playwright.sync_api import FrameLocator, Page, expect

from tests.browser import PATIENCE
from tests.live.conftest import Open

FIELDS = {
    "1.2": ("cmi.core.lesson_status", "cmi.core.lesson_status", "cmi.core.score.raw", "cmi.core.lesson_location"),
    "2004": ("cmi.completion_status", "cmi.success_status", "cmi.score.raw", "cmi.location"),
}
READ = """([version, field]) => version === "1.2" ? API.LMSGetValue(field) : API_1484_11.GetValue(field)"""


class Learner:
    """Someone who works on one unit of a platform of a version of SCORM."""

    def __init__(self, open_page: Open, platform: str, unit: str, language: str, version: str) -> None:
        self.version = version
        folder = f"{unit}-{language}-scorm{version.replace('.', '')}"
        self.page: Page = open_page(f"{platform}/platform.html?version={version}&unit={folder}/index.html")
        self.unit: FrameLocator = self.page.frame_locator("iframe[title=Unit]")
        self.wait()

    def wait(self) -> None:
        expect(self.unit.locator("body[data-ready]")).to_be_attached(timeout=PATIENCE)

    def come_back(self) -> None:
        """Leave, and open the unit again."""
        self.page.reload()
        self.wait()

    def known(self, field: str) -> str:
        """What the platform knows."""
        return str(self.page.evaluate(READ, [self.version, field]))

    @property
    def completion(self) -> str:
        return self.known(FIELDS[self.version][0])

    @property
    def success(self) -> str:
        return self.known(FIELDS[self.version][1])

    @property
    def score(self) -> float:
        return float(self.known(FIELDS[self.version][2]) or "nan")

    @property
    def place(self) -> str:
        return self.known(FIELDS[self.version][3])

    @property
    def noted(self) -> list[dict[str, Any]]:
        """The answers that were reported."""
        api = "API" if self.version == "1.2" else "API_1484_11"
        return list(self.page.evaluate(f"{api}.cmi.interactions.childArray.map((each) => each.toJSON())"))

    def data(self) -> dict[str, Any]:
        """What Python computed for the unit."""
        return dict(self.unit.locator("#unit").evaluate("node => JSON.parse(node.textContent)"))
