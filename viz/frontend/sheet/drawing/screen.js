// Places on the sheet and on the screen.

export const meets = (view, x, y, width, height) => x <= view.right && y <= view.bottom && x + width >= view.x && y + height >= view.y;

export const contains = (frame, x, y) => x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;

export const overlap = (one, other) =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

export function onScreen({ camera }, x, y, width, height) {
  const { k, x: left, y: top } = camera.at;
  return { x: x * k + left, y: y * k + top, width: width * k, height: height * k };
}

export function chip(context, text, x, y, wide, ink, ground) {
  context.globalAlpha = 0.86;
  context.fillStyle = ground;
  context.fillRect(x - 3, y, wide + 6, 18);
  context.globalAlpha = 1;
  context.fillStyle = ink;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 10);
}
