import { expect, it } from 'vitest';
import { type Listing, soldOutFrom } from '../products/listing.ts';
import { ListIndex } from './list-index.ts';

/** Products 1 to 6, of which 1 and 4 are sold out. The word is in the names of 1 to 3, and somewhere in the texts of all. */
const having: Record<string, number[]> = { name: [1, 2, 3], text: [1, 2, 3, 4, 5, 6] };
const ranks = [[['name']], [['text']]];

function indexOfSix(): { index: ListIndex; read: string[] } {
  const read: string[] = [];
  const index = new ListIndex({
    capacity: 64,
    prices: [],
    load: async (tokens, into) => {
      read.push(...tokens);
      for (const no of tokens.flatMap((token) => having[token] ?? [])) into.add(no);
    },
  });
  const listing = (no: number): Listing => ({
    position: no === 1 || no === 4 ? soldOutFrom + no : no,
    price: 100,
    names: {},
    brand: '',
    category: '',
    tags: [],
    flags: [],
    capacity: null,
    colours: [],
    stores: [],
  });
  index.update(new Map([1, 2, 3, 4, 5, 6].map((no) => [no, listing(no)])));
  return { index, read };
}

it('a page that the best matches fill reads no other ranks', async () => {
  const { index, read } = indexOfSix();
  expect(await index.byRelevance({ scopes: [], ranks }, 0, 2)).toEqual([2, 3]);
  expect(read).toEqual(['name']);
});

it('pages of a search go on through all ranks, and what is sold out comes last', async () => {
  const { index, read } = indexOfSix();
  const pages = [];
  for (const offset of [0, 2, 4, 6]) pages.push(await index.byRelevance({ scopes: [], ranks }, offset, 2));
  expect(pages).toEqual([[2, 3], [5, 6], [1, 4], []]);
  expect(read).toEqual(['name', 'text']);
});
