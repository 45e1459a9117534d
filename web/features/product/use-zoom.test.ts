import { describe, expect, it } from 'vitest';
import { clampView, pinch, wholeImage, zoomAt } from './use-zoom.ts';

const phone = { width: 390, height: 844, edge: 390 };
const laptop = { width: 1440, height: 900, edge: 900 };

describe('the geometry of the image viewer', () => {
  it('an image grows to three times its size at most and never shrinks below the window', () => {
    expect(zoomAt(wholeImage, 9, phone).scale).toBe(3);
    expect(zoomAt({ scale: 2, x: 90, y: 0 }, 0.2, phone)).toEqual(wholeImage);
  });

  it('the point under the pointer stays there while the image grows', () => {
    const pointer = { x: 120, y: -80 };
    const view = zoomAt(wholeImage, 2.5, laptop, [pointer]);
    // The image's own point: its distance from the centre of the image, at scale 1.
    expect((pointer.x - view.x) / view.scale).toBeCloseTo(pointer.x);
    expect((pointer.y - view.y) / view.scale).toBeCloseTo(pointer.y);
  });

  it('an enlarged image moves until its edge meets the edge of the window', () => {
    expect(clampView({ scale: 3, x: 5000, y: -5000 }, phone)).toEqual({
      scale: 3,
      x: (3 * 390 - 390) / 2,
      y: -(3 * 390 - 844) / 2,
    });
  });

  it('an image narrower than the window stays in its middle', () => {
    expect(clampView({ scale: 1.5, x: 200, y: 0 }, laptop)).toEqual({ scale: 1.5, x: 0, y: 0 });
  });

  it('two fingers scale by their distance and carry the image along', () => {
    const from = { x: -50, y: 0 };
    const to = { x: 50, y: 0 };
    const view = pinch(
      wholeImage,
      phone,
      [from, to],
      [
        { x: -80, y: 20 },
        { x: 120, y: 20 },
      ],
    );
    expect(view.scale).toBe(2);
    expect(view.x).toBe(20);
  });
});
