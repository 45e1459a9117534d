import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conflictsOf,
  differences,
  type Edit,
  edited,
  isEqual,
  merged,
  TooManySteps,
  valueAt,
} from './patch.ts';

/** Documents as forms edit them: texts by language, a value that may be null, lists with and without names. */
const text = fc.constantFrom('a', 'b', 'c');
const documents = fc.record(
  {
    name: fc.record({ en: text, zh: text }, { requiredKeys: ['en'] }),
    hours: fc.option(fc.record({ open: text, breaks: fc.array(text, { maxLength: 2 }) })),
    phone: text,
    zones: fc.uniqueArray(fc.record({ id: fc.constantFrom('10', '9', 'x', '__proto__'), fee: fc.nat(3) }), {
      selector: ({ id }) => id,
    }),
  },
  { requiredKeys: ['name', 'hours', 'zones'] },
);

describe('edits of a document', () => {
  it('the differences between two documents turn the first into the second', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        expect(edited(before, JSON.parse(JSON.stringify(differences(before, after))))).toEqual(after);
      }),
    );
  });

  it('an entry of a list is found by its name, and moving it changes no field of it', () => {
    const zone = (id: string, fee: number) => ({ id, fee });
    const before = { zones: [zone('a', 1), zone('b', 2)] };
    expect(differences(before, { zones: [zone('b', 2), zone('a', 3)] })).toEqual([
      { path: ['zones', 'a', 'fee'], from: 1, to: 3 },
      { path: ['zones', '#'], from: ['a', 'b'], to: ['b', 'a'] },
    ]);
    expect(differences(before, { zones: [zone('b', 2)] })).toEqual([
      { path: ['zones', 'a'], from: zone('a', 1) },
    ]);
  });

  it('a path that leads to nothing, or to the prototype, changes no other object', () => {
    const document = edited({ name: 'a' }, [
      { path: ['__proto__', 'isOwner'], to: true },
      { path: ['name', 'x', 'y'], to: 1 },
    ]);
    expect(({} as { isOwner?: boolean }).isOwner).toBeUndefined();
    expect(valueAt(document, ['name', 'x', 'y'])).toBe(1);
    expect(valueAt({}, ['constructor', 'name'])).toBeUndefined();
  });
});

describe('many edits', () => {
  /** One edit after the other, each of the whole document. */
  const oneByOne = (document: unknown, edits: readonly Edit[]) =>
    edits.reduce((whole, edit) => edited(whole, [edit]), document);
  const paths = fc.oneof(
    fc.tuple(fc.constant('zones'), fc.constantFrom('10', '9', 'x', 'new')),
    fc.tuple(
      fc.constant('zones'),
      fc.constantFrom('10', '9', 'x', 'new'),
      fc.constantFrom('fee', 'id', 'sku'),
    ),
    fc.tuple(fc.constant('zones'), fc.constant('#')),
    fc.tuple(fc.constantFrom('name', 'hours', 'phone'), fc.constantFrom('en', 'open')),
    fc.tuple(fc.constantFrom('phone', 'zones')),
  );
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      'a',
      1,
      undefined,
      ['x', '9'],
      { id: 'x', fee: 7 },
      { id: 'new', fee: 8 },
      { sku: 'new' },
      [{ id: '9' }],
    ),
  );

  it('edits that are made together come to the same as one after the other', () => {
    const edits = fc.array(fc.record({ path: paths, to: values }), { maxLength: 8 });
    fc.assert(
      fc.property(documents, edits, (document, made) => {
        expect(edited(document, made)).toEqual(oneByOne(document, made));
      }),
      { numRuns: 2000 },
    );
  });

  const entries = Array.from({ length: 2048 }, (_, index) => ({ sku: `s-${index}`, price: 1 }));

  it('many edits of a list read each of its entries a few times, however many they are', () => {
    let reads = 0;
    const watched = entries.map(({ sku, price }) => ({
      get sku() {
        reads += 1;
        return sku;
      },
      price,
    }));
    const edits = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        path: ['skus', `s-${index % 2048}`, `field-${index >> 11}`],
        to: index,
      }));
    for (const count of [4000, 16_000]) {
      reads = 0;
      edited({ skus: watched }, edits(count));
      expect(reads, `${count} edits`).toBeLessThan(10 * entries.length);
    }
  });

  it('edits that would read a list again and again are refused', () => {
    const renames = Array.from({ length: 200 }, (_, index) => ({
      path: ['skus', `s-${index}`, 'sku'],
      to: `t-${index}`,
    }));
    expect(() => edited({ skus: entries }, renames)).toThrow(TooManySteps);
    const orders = Array.from({ length: 200 }, () => ({ path: ['skus', '#'], to: ['s-2', 's-1'] }));
    expect(() => edited({ skus: entries }, orders)).toThrow(TooManySteps);
  });
});

describe('merging two editors', () => {
  it('a field that only one of them changed is kept, and one that both changed to the same is no conflict', () => {
    const base = { name: { en: 'Cup', zh: '杯' }, phone: '1', hours: null };
    const mine = { name: { en: 'Mug', zh: '杯' }, phone: '2', hours: null };
    const theirs = { name: { en: 'Cup', zh: '杯子' }, phone: '2', hours: null };
    expect(conflictsOf(base, mine, theirs)).toEqual([]);
    expect(merged(base, mine, theirs)).toEqual({ name: { en: 'Mug', zh: '杯子' }, phone: '2', hours: null });
  });

  it('an entry that one removed and the other changed is asked about as a whole', () => {
    const base = { zones: [{ id: 'west', fee: 1, minutes: 30 }] };
    const mine = { zones: [{ id: 'west', fee: 2, minutes: 40 }] };
    const conflicts = conflictsOf(base, mine, { zones: [] });
    expect(conflicts).toEqual([{ path: ['zones', 'west'], mine: mine.zones[0], theirs: undefined }]);
    expect(merged(base, mine, { zones: [] })).toEqual({ zones: [] });
    expect(merged(base, mine, { zones: [] }, conflicts)).toEqual(mine);
  });

  it('each field of a merge is as one of the two has it, and mine only where they did not change it or I chose it', () => {
    fc.assert(
      fc.property(documents, documents, documents, fc.boolean(), (base, mine, theirs, keepMine) => {
        const conflicts = conflictsOf(base, mine, theirs);
        const whole = merged(base, mine, theirs, keepMine ? conflicts : []);
        for (const { path, to } of differences(theirs, whole)) {
          if (path.at(-1) === '#') continue;
          expect(valueAt(mine, path)).toEqual(to);
          expect(isEqual(valueAt(theirs, path), valueAt(base, path)) || keepMine).toBe(true);
        }
        for (const each of conflicts)
          if (each.path.at(-1) !== '#')
            expect(valueAt(whole, each.path)).toEqual(keepMine ? each.mine : each.theirs);
      }),
    );
  });
});
