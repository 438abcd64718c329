// Bytes that stand as text in a file.

// Python's b85encode, with a comma for "<": five letters are four bytes.
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
const PLACES = new Uint8Array(128);
[...LETTERS].forEach((letter, place) => (PLACES[letter.charCodeAt(0)] = place));

export function bytesOf(stored) {
  const text = stored.textContent.trim();
  const lacking = (5 - (text.length % 5)) % 5;
  const whole = text + "~".repeat(lacking);
  const view = new DataView(new ArrayBuffer((whole.length / 5) * 4));
  for (let at = 0, to = 0; at < whole.length; at += 5, to += 4) {
    let value = 0;
    for (let place = at; place < at + 5; place++) value = value * 85 + PLACES[whole.charCodeAt(place)];
    view.setUint32(to, value);
  }
  return new Uint8Array(view.buffer, 0, view.byteLength - lacking);
}
