"""What all altair charts share: how they are checked, and how they become files."""

from collections.abc import Mapping

from altair.utils import schemapi

# Altair would check each part of a chart as it is made, number by number, which takes most of a page's time; tests
# check the whole. For the process and for good: its own context manager fails where threads overlap.
schemapi.DEBUG_MODE = False


def vega_svg(spec: Mapping[str, object]) -> str:
    """A Vega-Lite chart as SVG; nothing is fetched for it."""
    import vl_convert  # 30 MB that only a download needs

    return vl_convert.vegalite_to_svg(dict(spec), allowed_base_urls=[])
