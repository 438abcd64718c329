// The colours: in the browser those of viz/palette.py, which viz/components/js_bundle.py writes here.
export const PALETTE = {};
