// The colours: in the browser those of viz/palette.py, which viz/components/linker.py writes here.
export const PALETTE = {};
