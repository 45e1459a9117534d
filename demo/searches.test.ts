/**
 * 150 searches of the demo shop, with the products that should come first. A search succeeds if all that it wants is in the first
 * three, or, where it wants more than three, if the first three are among them. Change the shares below together with what changes
 * them; a failure lists the searches that did not succeed.
 */
import { expect, test } from 'vitest';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import queries from './searches.json' with { type: 'json' };

const shown = 3;

interface Search {
  kind: string;
  lang: 'en' | 'zh';
  text: string;
  wanted: readonly string[];
}

const kinds: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>> =
  queries;

const searches = Object.entries(kinds).flatMap(([kind, languages]) =>
  Object.entries(languages).flatMap(([lang, texts]) =>
    Object.entries(texts).map(
      ([text, wanted]): Search => ({ kind, lang: lang === 'zh' ? 'zh' : 'en', text, wanted }),
    ),
  ),
);

/** How many searches of each kind succeed. */
const shares: Readonly<Record<string, string>> = {
  use: '13 of 18',
  material: '17 of 17',
  occasion: '10 of 15',
  misspelt: '18 of 19',
  joined: '14 of 14',
  split: '15 of 15',
  sku: '15 of 15',
  measure: '15 of 16',
  sentence: '16 of 21',
};

test('the list has 150 searches of nine kinds, and each wants something', () => {
  expect(searches).toHaveLength(150);
  expect(Object.keys(queries)).toHaveLength(9);
  for (const { text, wanted } of searches) expect(wanted.length, text).toBeGreaterThan(0);
});

onBothEngines((engine) => {
  test('the recorded share of each kind of search finds in the first three what it should', async () => {
    const { services } = await createTestApp({ engine, demo: true });
    const missed: string[] = [];
    const succeeded = new Set<Search>();
    for (const search of searches) {
      const { kind, lang, text, wanted } = search;
      const { cards } = await services.catalogue.page({ nameLike: text }, { numberToLoad: shown }, lang);
      const ids = cards.map((card) => (JSON.parse(card) as { id: string }).id);
      const hits = ids.filter((id) => wanted.includes(id)).length;
      if (hits === Math.min(wanted.length, shown)) succeeded.add(search);
      else missed.push(`${kind}: ${text} finds ${ids.join(', ') || 'nothing'}`);
    }
    const found = Object.keys(queries).map((kind) => {
      const all = searches.filter((search) => search.kind === kind);
      return [kind, `${all.filter((search) => succeeded.has(search)).length} of ${all.length}`];
    });
    expect(Object.fromEntries(found), missed.join('\n')).toEqual(shares);
  });
});
