"""An imported model of opus-mt's size: alone, and in the app."""
