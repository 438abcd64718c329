"""Pictures of every page in a language, wide and on a phone, on one page: they show what is cut off or in English."""

from html import escape

from pages.shared.session import page_list
from tests.browser import PATIENCE, idle, launch
from tests.samples import ROOT
from tests.server import server

SIZES = {"wide": (1280, 900), "phone": (390, 844)}
TALLEST = 6000  # px of a picture
STYLE = "td, th { vertical-align: top; font: 14px sans-serif; padding: 8px } img { border: 1px solid #ccc }"


def take(code: str, addresses: list[str]) -> str:
    """Start the app, take the pictures, and say where the page is that has them all."""
    from playwright.sync_api import sync_playwright

    unknown = [address for address in addresses if address.partition("?")[0] not in page_list.pages()]
    if unknown:
        raise SystemExit(f"There is no page {', '.join(unknown)}; there are {', '.join(page_list.pages())}.")
    folder = ROOT / "build" / "languages" / code
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    with server() as app, sync_playwright() as playwright:
        browser = launch(playwright)
        for address in addresses or page_list.pages():
            cells, said = "", ""
            for size, (width, height) in SIZES.items():
                page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
                page.goto(f"{app}/{address}{'&' if '?' in address else '?'}language={code}")
                page.locator("h1").wait_for(timeout=PATIENCE)
                idle(page)
                whole = page.locator("[data-testid=stMain]").evaluate("node => node.scrollHeight")
                page.set_viewport_size({"width": width, "height": min(max(height, whole), TALLEST)})
                idle(page)
                file = f"{''.join(c if c.isalnum() else '-' for c in address)}-{size}.png"
                page.screenshot(path=folder / file)
                said = " ".join(page.locator(".gf-untranslated").all_text_contents())
                cells += f'<td><img src="{file}" width="{width // 2}"></td>'
                page.close()
            rows.append(f"<tr><th>{escape(address)}<br><small>{escape(said)}</small></th>{cells}</tr>")
            print(address, said, flush=True)
    index = folder / "index.html"
    table = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><table>{''.join(rows)}</table>"
    index.write_text(table, encoding="utf-8")
    return f"Open {index.relative_to(ROOT)}"
