import { describe, expect, it } from 'vitest';
import { fittingUrl, mediaUrl, srcSet } from './media.ts';

const mug = { imageURL: '/media/1000/speckled-mug-1a2b3c4d.jpg', width: 1000 };

describe('picture addresses', () => {
  it('replace the width and keep the name', () => {
    expect(mediaUrl(mug.imageURL, 320)).toBe('/media/320/speckled-mug-1a2b3c4d.jpg');
    expect(mediaUrl('/logo.svg', 320)).toBe('/logo.svg');
  });

  it('offer every width up to the original and none above it', () => {
    const offered = srcSet(mug);
    expect(offered).toContain('/media/64/speckled-mug-1a2b3c4d.jpg 64w');
    expect(offered.endsWith('/media/1000/speckled-mug-1a2b3c4d.jpg 1000w')).toBe(true);
    expect(offered).not.toContain('1280');
  });

  it('offer a small picture as it is', () => {
    expect(srcSet({ imageURL: '/media/40/dot.png', width: 40 })).toBe('/media/40/dot.png 40w');
  });

  it('find one width that fits', () => {
    expect(fittingUrl(mug, 640)).toBe('/media/640/speckled-mug-1a2b3c4d.jpg');
    expect(fittingUrl({ ...mug, width: 500 }, 640)).toBe('/media/480/speckled-mug-1a2b3c4d.jpg');
    expect(fittingUrl({ imageURL: '/media/40/dot.png', width: 40 }, 640)).toBe('/media/40/dot.png');
  });
});
