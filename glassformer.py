"""The package for notebooks, without an installation: in the repository its folder is named `viz`."""

import sys

import viz

sys.modules[__name__] = viz
