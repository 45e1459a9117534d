/** Measures every regular expression: none may take quadratic time, since a hostile text would then block the server’s thread. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { attacksOn, findPatterns, patternsIn } from './patterns.ts';

/** Characters. The long text is eight times the short one: linear work takes 8 times as long, quadratic 64 times. */
const short = 2_000;
const long = 16_000;
const mostGrowth = 24;
/** What the long text may cost whatever the growth, ms: below it the clock and the collector decide. */
const harmlessMs = 4;

/** The fastest of several tries at replacing every match, ms. */
function costOf(pattern: RegExp, text: string, tries: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries && best > harmlessMs; i++) {
    const start = performance.now();
    text.replace(pattern, '');
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** The text on which the time of a pattern grows faster than the text; undefined for a pattern without one. */
function slowOn(found: RegExp): string | undefined {
  const pattern = new RegExp(found.source, found.flags.includes('g') ? found.flags : `${found.flags}g`);
  // Exponential ones would not come back from the long text.
  const hopeless = attacksOn(pattern, 26).find((text) => costOf(pattern, text, 2) > 50);
  if (hopeless !== undefined) return hopeless;
  const shorter = attacksOn(pattern, short);
  return attacksOn(pattern, long).find((text, at) => {
    if (costOf(pattern, shorter[at] ?? '', 3) > 50) return true;
    const cost = costOf(pattern, text, 5);
    if (cost <= harmlessMs) return false;
    const before = Math.min(...Array.from({ length: 5 }, () => timed(pattern, shorter[at] ?? '')));
    return cost > mostGrowth * before;
  });
}

function timed(pattern: RegExp, text: string): number {
  const start = performance.now();
  text.replace(pattern, '');
  return performance.now() - start;
}

describe('regular expressions', () => {
  test('every regular expression of the program takes linear time on the texts made to slow it down', {
    timeout: 120_000,
  }, () => {
    const patterns = findPatterns(fileURLToPath(new URL('..', import.meta.url)));
    expect(patterns.length).toBeGreaterThan(150);
    const slow = patterns.flatMap(({ at, pattern }) => {
      const text = slowOn(pattern);
      return text === undefined
        ? []
        : [`${at} ${pattern} on ${JSON.stringify(`${text.slice(0, 16)}…${text.slice(-4)}`)}`];
    });
    expect(slow).toEqual([]);
  });

  test.each([
    ['an unanchored run before a missing character', /[^/]*(?:@|%40)[^/]*/gi],
    ['an opening sign that never closes', /<[^>]*>/],
    ['a run before the end', /\d+$/],
    ['two runs over the same characters', /^\s*\w*\s*\w*\s*$/],
    ['nested runs', /^(?:a+)+$/],
  ])('the measurement finds the slow text for %s', (_kind, pattern) => {
    expect(slowOn(pattern)).toBeDefined();
  });

  test('the scanner finds regular expressions in literals and in schemas, in TypeScript and in TSX', () => {
    const source =
      'const a: RegExp = /x+/gi;\nconst b = Type.String({ pattern: \'^y$\' });\nconst c = <p title="/no/">{/z/.test(d)}</p>;';
    expect(patternsIn('a.tsx', source)).toEqual([
      { at: 'a.tsx:1', pattern: /x+/gi },
      { at: 'a.tsx:2', pattern: /^y$/u },
      { at: 'a.tsx:3', pattern: /z/ },
    ]);
  });
});
