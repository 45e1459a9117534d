/** The geometry of the image viewer. Points and offsets are px from the centre of the window. Pure. */

export interface Point {
  x: number;
  y: number;
}

/** How an image is shown: its scale (1 fits the window), and the offset of its centre. */
export interface ZoomView extends Point {
  scale: number;
}

/** The size of the window, and the edge of the square that the image fills at scale 1, in px. */
export interface ZoomRoom {
  width: number;
  height: number;
  edge: number;
}

export const wholeImage: ZoomView = { scale: 1, x: 0, y: 0 };
export const largestScale = 3;

/** Moves an image back over the window: its edge goes no further inside than the window's, and a smaller image is centred. */
export function clampView({ scale, x, y }: ZoomView, { width, height, edge }: ZoomRoom): ZoomView {
  const size = Math.min(largestScale, Math.max(1, scale));
  const within = (offset: number, room: number) => {
    const most = Math.max(0, (edge * size - room) / 2);
    return Math.min(most, Math.max(-most, offset));
  };
  return { scale: size, x: within(x, width), y: within(y, height) };
}

/** Changes the scale so that what is under the first point is under the second afterwards, as far as the image covers the window. */
export function zoomAt(
  view: ZoomView,
  scale: number,
  room: ZoomRoom,
  [from = { x: 0, y: 0 }, to = from]: Point[] = [],
): ZoomView {
  const size = Math.min(largestScale, Math.max(1, scale));
  const ratio = size / view.scale;
  return clampView({ scale: size, x: to.x - (from.x - view.x) * ratio, y: to.y - (from.y - view.y) * ratio }, room);
}

/** Follows two fingers that began at `before` and are at `after`: the image keeps what lies between them. */
export function pinch(view: ZoomView, room: ZoomRoom, before: readonly [Point, Point], after: readonly [Point, Point]): ZoomView {
  return zoomAt(view, (view.scale * distance(...after)) / distance(...before), room, [middle(...before), middle(...after)]);
}

export function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
