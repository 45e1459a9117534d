/** Places things side by side on one base line, all at the same scale. */
import type { Measured } from '#contract/schemas/measures.ts';

/** The room for the things, in px. */
export interface Room {
  width: number;
  height: number;
  /** Between two things. */
  gap: number;
}

export interface Placed {
  /** From the left edge of the room. */
  x: number;
  width: number;
  height: number;
}

/** The largest scale at which all fit, in px per centimetre; the row is centred in the room. */
export function toScale(things: readonly Pick<Measured, 'widthCm' | 'heightCm'>[], { width, height, gap }: Room): Placed[] {
  const gaps = gap * (things.length - 1);
  const widthCm = things.reduce((sum, thing) => sum + thing.widthCm, 0);
  const tallest = Math.max(...things.map(({ heightCm }) => heightCm));
  const scale = Math.min((width - gaps) / widthCm, height / tallest);
  let x = (width - gaps - widthCm * scale) / 2;
  return things.map((thing) => {
    const placed = { x, width: thing.widthCm * scale, height: thing.heightCm * scale };
    x += placed.width + gap;
    return placed;
  });
}
