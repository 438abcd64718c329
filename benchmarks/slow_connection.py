"""A first visit over a slow connection: requests, bytes, and seconds until there is text, the page and its figure.

`python -m benchmarks.slow_connection [--megabits 1.6] [--latency 150]` starts a server and opens its first page in a
browser that has kept nothing. Bytes are those of HTTP as they are sent, packed and with headers.
"""

import argparse

from benchmarks.harness.browser import chromium, fresh_page
from benchmarks.harness.server import ROOT, streamlit

_MARKS = """
const times = (window.times = {});
const note = (name, is) => { if (is) times[name] ??= Math.round(performance.now()) / 1000; };
const look = () => {
  note("text", document.querySelector(".gf-loading, h1")?.checkVisibility());
  note("page", document.querySelector("h1"));
  note("figure", clock.figure());
  note("does not answer", document.querySelector(".gf-away:not([hidden])"));
  requestAnimationFrame(look);
};
look();
"""


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slow_connection", description=__doc__)
    parser.add_argument("--megabits", type=float, default=1.6, help="that arrive in a second")
    parser.add_argument("--latency", type=int, default=150, help="ms")
    options = parser.parse_args()
    sizes: dict[str, int] = {}
    addresses: dict[str, str] = {}
    with chromium() as browser, streamlit(ROOT / "app.py") as address:
        for _ in range(2):  # the first one warms the server up
            with fresh_page(browser, script=_MARKS) as page:
                addresses.clear()
                session = page.context.new_cdp_session(page)
                session.send("Network.enable")
                speed = {"downloadThroughput": options.megabits * 1e6 / 8, "uploadThroughput": 1e5}
                session.send("Network.emulateNetworkConditions", speed | {"offline": False, "latency": options.latency})
                session.on(
                    "Network.requestWillBeSent", lambda e: addresses.update({e["requestId"]: e["request"]["url"]})
                )
                session.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
                page.goto(address, wait_until="commit")
                page.wait_for_function("times.figure")
                page.wait_for_load_state("networkidle")
                times = page.evaluate("times")
    asked = [key for key, url in addresses.items() if url.startswith("http")]
    print(f"{len(asked)} requests, {sum(sizes.get(key, 0) for key in asked):,} bytes; seconds: {times}")


if __name__ == "__main__":
    main()
