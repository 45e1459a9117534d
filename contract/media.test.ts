import { describe, expect, it } from 'vitest';
import { fittingUrl, mediaUrl, srcSet } from './media.ts';

const mug = { imageURL: '/media/1000/speckled-mug-1a2b3c4d.jpg', width: 1000 };

describe('image addresses', () => {
  it('an image address changes its width and keeps the name', () => {
    expect(mediaUrl(mug.imageURL, 320)).toBe('/media/320/speckled-mug-1a2b3c4d.jpg');
    expect(mediaUrl('/logo.svg', 320)).toBe('/logo.svg');
  });

  it('the widths of an image go up to the original and no further', () => {
    const offered = srcSet(mug);
    expect(offered).toContain('/media/64/speckled-mug-1a2b3c4d.jpg 64w');
    expect(offered.endsWith('/media/1000/speckled-mug-1a2b3c4d.jpg 1000w')).toBe(true);
    expect(offered).not.toContain('1280');
  });

  it('a small image is offered in its original size', () => {
    expect(srcSet({ imageURL: '/media/40/dot.png', width: 40 })).toBe('/media/40/dot.png 40w');
  });

  it('the smallest width that fits is chosen for an image', () => {
    expect(fittingUrl(mug, 640)).toBe('/media/640/speckled-mug-1a2b3c4d.jpg');
    expect(fittingUrl({ ...mug, width: 500 }, 640)).toBe('/media/480/speckled-mug-1a2b3c4d.jpg');
    expect(fittingUrl({ imageURL: '/media/40/dot.png', width: 40 }, 640)).toBe('/media/40/dot.png');
  });
});
