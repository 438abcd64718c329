// Numbers as text, as viz/numbers.py writes them.

export const whole = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ","); // the engine of files knows no languages

// A share in percent; only none is 0% and only all is 100%.
export function percent(share, decimals = 0) {
  if (!(share > 0 && share < 1)) return `${share > 0 ? 100 : 0}%`; // the sum of weights may be a trace more than 1
  for (const digits of [decimals, Math.max(decimals, 1)]) {
    const text = (100 * share).toFixed(digits);
    if (Number(text) > 0 && Number(text) < 100) return `${text}%`;
  }
  const digits = Math.max(decimals, 1);
  const least = 10 ** -digits;
  return share < 0.5 ? `<${least.toFixed(digits)}%` : `>${(100 - least).toFixed(digits)}%`;
}
