/**
 * 150 searches of the demo shop, with the products that should come first. A search succeeds if all that it wants is in the first
 * three, or, where it wants more than three, if the first three are among them. Change the shares below together with what changes
 * them; a failure lists the searches that did not succeed.
 */
import { expect, test } from 'vitest';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import queries from './queries.json' with { type: 'json' };

const shown = 3;

interface Search {
  kind: string;
  lang: 'en' | 'zh';
  text: string;
  wanted: readonly string[];
}

const searches = Object.entries(queries).flatMap(([kind, languages]) =>
  Object.entries(languages).flatMap(([lang, texts]) =>
    Object.entries(texts).map(([text, wanted]): Search => ({ kind, lang: lang === 'zh' ? 'zh' : 'en', text, wanted })),
  ),
);

/** How many searches of each kind succeed. */
const shares: Readonly<Record<string, string>> = {
  use: '8 of 18',
  material: '12 of 17',
  occasion: '8 of 15',
  misspelt: '12 of 19',
  joined: '3 of 14',
  split: '6 of 15',
  sku: '3 of 15',
  measure: '11 of 16',
  sentence: '2 of 21',
};

test('the list has 150 searches of nine kinds, and each wants something', () => {
  expect(searches).toHaveLength(150);
  expect(Object.keys(queries)).toHaveLength(9);
  for (const { text, wanted } of searches) expect(wanted.length, text).toBeGreaterThan(0);
});

onBothEngines((engine) => {
  test('of each kind of search, as many as are recorded find in the first three what they should', async () => {
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
