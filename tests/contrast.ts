/** Computes the contrast of a brand's colours, for the pairs that its `tokens.css` names. */
import { type BrandColours, readBrandColours } from '#contract/brand-colours.ts';

export interface Pair {
  scheme: keyof BrandColours;
  text: string;
  background: string;
  /** The least ratio that is allowed. */
  least: number;
  /** NaN if the brand lacks one of the colours. */
  ratio: number;
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The ratio of two colours, such as `#211e1a`, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Every pair that the `pair:` lines of a style sheet name, in both schemes: a text colour, its backgrounds and the least ratio. */
export function readPairs(css: string): Pair[] {
  const colours = readBrandColours(css);
  const lines = [...css.matchAll(/pair: ([a-z-]+) \/ ([a-z -]+) ([\d.]+)/g)].flatMap(([, text = '', backgrounds = '', least]) =>
    backgrounds.split(' ').map((background) => ({ text, background, least: Number(least) })),
  );
  return (['light', 'dark'] as const).flatMap((scheme) =>
    lines.map(({ text, background, least }) => {
      const ratio = contrast(colours[scheme].get(text) ?? '', colours[scheme].get(background) ?? '');
      return { scheme, text, background, least, ratio };
    }),
  );
}
