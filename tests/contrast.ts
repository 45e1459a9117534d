/** Computes the contrast of a brand's colours, for the pairs that its `tokens.css` names. */
import { type BrandColours, readBrandColours } from '#contract/brand-colours.ts';
import { contrast } from '#contract/rules/look.ts';

export interface Pair {
  scheme: keyof BrandColours;
  text: string;
  background: string;
  /** The least ratio that is allowed. */
  least: number;
  /** NaN if the brand lacks one of the colours. */
  ratio: number;
}

/** Every pair that the `pair:` lines of a style sheet name, in both schemes: a text colour, its backgrounds and the least ratio. */
export function readPairs(css: string): Pair[] {
  const colours = readBrandColours(css);
  const lines = [...css.matchAll(/pair: ([a-z-]+) \/ ([a-z -]+) ([\d.]+)/g)].flatMap(
    ([, text = '', backgrounds = '', least]) =>
      backgrounds.split(' ').map((background) => ({ text, background, least: Number(least) })),
  );
  return (['light', 'dark'] as const).flatMap((scheme) =>
    lines.map(({ text, background, least }) => {
      const ratio = contrast(colours[scheme].get(text) ?? '', colours[scheme].get(background) ?? '');
      return { scheme, text, background, least, ratio };
    }),
  );
}
