import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from '#contract/rules/look.ts';
import { readPairs } from '#tests/contrast.ts';
import { brandFile, paperModule } from '../build-plugins.ts';

/** Those of the brand that BRAND names, or of the demo. */
const css = readFileSync(brandFile('tokens.css'), 'utf8');
const darkAt = css.indexOf('@media (prefers-color-scheme: dark)');
const names = (source: string) =>
  [...source.matchAll(/--color-([a-z-]+): #/g)].map(([, name]) => name).sort();
const pairs = readPairs(css);

describe('the colours of the brand', () => {
  it('the colours of the brand declare their pairs', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(pairs.length).toBeGreaterThan(40);
  });

  it('the dark scheme sets every colour again but those on photos and bands, which are the same in both', () => {
    const same = names(css.slice(0, darkAt)).filter((name) => /photo|^on-band$/.test(name ?? ''));
    expect(same.length).toBeGreaterThan(3);
    expect(names(css.slice(darkAt)).concat(same).sort()).toEqual(names(css.slice(0, darkAt)));
  });

  it.each(
    pairs.map(
      ({ scheme, text, background, least, ratio }) => [scheme, text, background, least, ratio] as const,
    ),
  )(
    'the pair of %s: %s on %s has a contrast of at least %f : 1',
    (_scheme, _text, _background, least, ratio) => {
      expect(ratio).toBeGreaterThanOrEqual(least);
    },
  );

  it('the page’s colours in the document head are those of the tokens', () => {
    const demo = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
    const written = readFileSync(new URL('../lib/paper.ts', import.meta.url), 'utf8');
    const [, light, dark] = /\{"light":"(#\w+)","dark":"(#\w+)"\}/.exec(paperModule(demo)) ?? [];
    expect(written).toContain(`export const paper = { light: '${light}', dark: '${dark}' };`);
  });
});
