import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictsOf, differences, edited, isEqual, merged, valueAt } from './patch.ts';

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
    expect(differences(before, { zones: [zone('b', 2)] })).toEqual([{ path: ['zones', 'a'], from: zone('a', 1) }]);
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
          if (each.path.at(-1) !== '#') expect(valueAt(whole, each.path)).toEqual(keepMine ? each.mine : each.theirs);
      }),
    );
  });
});
