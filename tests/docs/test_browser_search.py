"""The search of the site, opened as a file."""

from pathlib import Path

from playwright.sync_api import Browser, expect


def test_the_search_works_without_a_server_in_every_language(site: Path, browser: Browser) -> None:
    page = browser.new_page(locale="en")
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    for start, query, link in [
        ("index.html", "pickle", "guide/en/own-models.html"),
        ("guide/es/index.html", "tablero", "guide/es/classes.html"),
        ("guide/zh/index.html", "课堂码", "guide/zh/classes.html"),
    ]:
        page.goto((site / start).as_uri())
        field = page.locator(".md-search__input")
        field.click()
        expect(page.locator(".md-search-result__meta")).not_to_be_empty()  # the index is read
        field.press_sequentially(query) if query.isascii() else field.fill(query)
        field.press("End")  # the theme listens to keys
        expect(page.locator(f".md-search-result__link[href*='{link}']").first).to_be_attached()
    page.close()
    assert [url for url in requests if not url.startswith("file:")] == []
    assert errors == []
