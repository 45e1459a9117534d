import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import {
  contrast,
  contrastsOf,
  fixedColours,
  isDarkPage,
  type LookColours,
  lookPairs,
  mended,
  nightOf,
  readyLookNames,
  readyLooks,
  schemeOf,
  weakestOf,
} from './look.ts';

const plain: LookColours = { paper: '#ffffff', ink: '#1a1a1a', action: '#1d4ed8', sale: '#b3261e' };
const weakOf = (colours: LookColours) => contrastsOf(colours).filter(({ ratio, least }) => ratio < least);

describe('the pairs of the look', () => {
  it('the pairs of the look are those that the style sheet names for what the look derives', () => {
    const css = readFileSync(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
    const named = [...css.matchAll(/pair: ([a-z-]+) \/ ([a-z -]+) [\d.]+/g)].flatMap(
      ([, text = '', on = '']) => on.split(' ').map((each) => `${text} ${each}`),
    );
    const known = lookPairs.flatMap(({ text, on }) => on.map((each) => `${text} ${each}`));
    // Page on ink is ink on page; texts on photos and bands are derived so that they can be read.
    const besides = /^(paper ink|on-band band|photo-ink photo-paper|on-photo-clay photo-clay)$/;
    expect(known.filter((pair) => !named.includes(pair)).filter((pair) => pair !== 'ink clay-tint')).toEqual(
      [],
    );
    expect(named.filter((pair) => !known.includes(pair) && !besides.test(pair))).toEqual([]);
  });

  it('black on white has the highest contrast there is', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});

describe('ready looks', () => {
  test.each(readyLookNames)('every text of the ready look %s can be read, by day and by night', (name) => {
    const { colours } = readyLooks[name];
    expect(weakOf(colours)).toEqual([]);
    expect(weakOf(nightOf(colours))).toEqual([]);
    for (const scheme of [schemeOf(colours), schemeOf(nightOf(colours), colours)])
      expect(contrast(fixedColours(colours)['on-band'], scheme.band)).toBeGreaterThanOrEqual(7);
    const fixed = fixedColours(colours);
    expect(contrast(fixed['photo-ink'], fixed['photo-paper'])).toBeGreaterThanOrEqual(7);
    expect(contrast(fixed['on-photo-clay'], fixed['photo-clay'])).toBeGreaterThanOrEqual(4.5);
  });

  it('eight looks are ready, each with links of a colour of its own', () => {
    expect(readyLookNames).toHaveLength(8);
    expect(new Set(readyLookNames.map((name) => JSON.stringify(readyLooks[name]))).size).toBe(8);
    expect(new Set(readyLookNames.map((name) => readyLooks[name].colours.action)).size).toBe(8);
  });
});

describe('mending a colour', () => {
  it('a link too light for its page becomes as little darker as makes it readable, and keeps its hue', () => {
    const weak = { ...plain, action: '#f0b429' };
    expect(weakestOf(weak, 'action')?.ratio).toBeLessThan(4.5);
    const better = mended(weak, 'action');
    expect(better && weakestOf(better, 'action')).toBeNull();
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      Number.parseInt(better?.action.slice(at, at + 2) ?? '', 16),
    );
    expect(red).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(blue);
    expect(
      contrastsOf(better ?? weak).find(({ text, on }) => text === 'action' && on === 'surface-inset')?.ratio,
    ).toBeLessThan(6);
  });

  it('on a dark page a colour becomes lighter', () => {
    const dark = { paper: '#101010', ink: '#f0f0f0', action: '#333388', sale: '#ff9999' };
    const better = mended(dark, 'action');
    expect(better && weakestOf(better, 'action')).toBeNull();
    expect(contrast(better?.action ?? '', '#ffffff')).toBeLessThan(contrast(dark.action, '#ffffff'));
  });

  it('a colour that can be read stays the same bytes', () => {
    expect(mended(plain, 'action')).toBe(plain);
  });

  it('on a grey page no shade of a link can be read, and none is offered', () => {
    expect(mended({ ...plain, paper: '#777777', ink: '#000000' }, 'action')).toBeNull();
  });
});

describe('the night', () => {
  it('the night of any day can be read, also of days that cannot', () => {
    for (const action of ['#ffff00', '#00ff00', '#0000ff', '#808080', '#000000', '#ffffff'])
      expect(weakOf(nightOf({ ...plain, action, sale: action })), action).toEqual([]);
  });

  it('the night is dark, and a page that is dark by day stays as it is', () => {
    expect(isDarkPage(nightOf(plain))).toBe(true);
    const dark = readyLooks.nightMarket.colours;
    expect(nightOf(dark)).toEqual(dark);
  });
});
