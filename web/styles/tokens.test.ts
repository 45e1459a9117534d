import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const darkAt = css.indexOf('@media (prefers-color-scheme: dark)');

/** The `--color-…: #rrggbb` declarations of a piece of CSS, by name. */
function colours(source: string): Map<string, string> {
  return new Map([...source.matchAll(/--color-([a-z-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const light = colours(css.slice(0, darkAt));
const schemes = { light, dark: new Map([...light, ...colours(css.slice(darkAt))]) };
const pairs = [...css.matchAll(/pair: ([a-z-]+) \/ ([a-z-]+) ([\d.]+)/g)];

describe('the colours of the brand', () => {
  it('the colours of the brand declare their pairs', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(pairs.length).toBeGreaterThan(20);
  });

  it('the pairs cover every colour a scheme sets, in both schemes', () => {
    expect([...colours(css.slice(darkAt)).keys()].sort()).toEqual([...light.keys()].sort());
  });

  for (const [scheme, values] of Object.entries(schemes)) {
    it.each(pairs.map((pair) => [pair[1] ?? '', pair[2] ?? '', Number(pair[3])] as const))(
      `the pair of ${scheme}: %s on %s has a contrast of at least %f : 1`,
      (text, background, least) => {
        expect(contrast(values.get(text) ?? '', values.get(background) ?? '')).toBeGreaterThanOrEqual(least);
      },
    );
  }
});
