import { expect, test } from 'vitest';
import { collectionUrl } from './component.tsx';

test.each([
  ['tag', 'gift', '/tag/gift'],
  ['brand', 'kiln-no-9', '/brand/kiln-no-9'],
  ['category', 'teapots', '/products/teapots'],
  ['clearance', '', '/clearance'],
  ['newArrival', '', '/productlist?newArrival=true'],
] as const)(
  'the "see more" link of the collection %s %s leads to %s',
  (collectiontype, collectionname, expected) => {
    expect(collectionUrl({ collectiontype, collectionname })).toBe(expected);
  },
);
