/** Several people edit a store at once, each with the draft that their browser keeps. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { conflictsOf, differences, edited, merged, valueAt } from '#contract/rules/patch.ts';
import type { Store } from '#contract/schemas/store.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { repeats } from '#tests/long.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const fields = [
  ['phone'],
  ['name', 'en'],
  ['name', 'zh'],
  ['address', 'street'],
  ['deliveryZones', 'by-bike', 'feeCents'],
  ['tables'],
];
const steps = fc.array(
  fc.record({
    who: fc.nat(2),
    what: fc.constantFrom('edit', 'edit', 'save', 'reload', 'saveBoth', 'fill'),
    field: fc.nat(fields.length - 1),
    keepsMine: fc.boolean(),
  }),
  { minLength: 8, maxLength: 30 },
);

interface Editor {
  revision: number;
  base: Store;
  mine: Store;
}

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
    const { body } = await load();
    const [zone] = body.content.deliveryZones;
    const edits = [{ path: ['deliveryZones'], to: zone && [{ ...zone, id: 'by-bike' }] }];
    expect((await save({ revision: body.revision, edits })).status).toBe(200);
  });
  const load = () => askStaff(testApp, 'store', { as, params: { id: store } });
  const save = (body: { revision: number; edits: object[] }) =>
    askStaff(testApp, 'saveStore', { as, params: { id: store }, body });
  const editorOf = ({ revision, content }: StaffResponse<'store'>): Editor => ({
    revision,
    base: content,
    mine: content,
  });

  it('each value that was saved is in the document, or was replaced by somebody who saw it', async () => {
    let last = 1000;
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        const start = (await load()).body;
        const editors = [0, 1, 2].map(() => editorOf(start));
        const written: { path: string; seen: unknown; to: unknown }[] = [];
        const note = (base: Store, edits: readonly { path: readonly string[]; to?: unknown }[]) =>
          written.push(
            ...edits.map(({ path, to }) => ({ path: path.join('.'), seen: valueAt(base, path), to })),
          );
        const reload = async (who: number, keepsMine: boolean) => {
          const { base, mine } = editors[who] as Editor;
          const { revision, content } = (await load()).body;
          const kept = keepsMine ? conflictsOf(base, mine, content) : [];
          editors[who] = { revision, base: content, mine: merged(base, mine, content, kept) };
        };
        const send = async (who: number, keepsMine: boolean) => {
          const { revision, base, mine } = editors[who] as Editor;
          const edits = differences(base, mine).map(({ path, to }) => ({ path, to }));
          const { status, body } = await save({ revision, edits });
          if (status === 409) return reload(who, keepsMine);
          expect(status).toBe(200);
          note(base, edits);
          editors[who] = editorOf(body);
        };
        for (const { who, what, field, keepsMine } of run) {
          last += 1;
          const path = fields[field] ?? [];
          const change = (document: Store) =>
            edited(document, [
              { path, to: typeof valueAt(document, path) === 'number' ? last : String(last) },
            ]);
          const editor = editors[who] as Editor;
          if (what === 'edit') editor.mine = change(editor.mine);
          if (what === 'reload') await reload(who, keepsMine);
          if (what === 'save') await send(who, keepsMine);
          if (what === 'saveBoth') await Promise.all([send(who, keepsMine), send((who + 1) % 3, !keepsMine)]);
          if (what === 'fill') {
            const { content } = (await load()).body;
            const after = change(content);
            await testApp.services.stores.upsert([after]);
            note(content, differences(content, after));
          }
        }
        const end = (await load()).body.content;
        for (const path of fields) {
          let value = valueAt(start.content, path);
          const left = written.filter((each) => each.path === path.join('.'));
          while (left.length > 0) {
            const next = left.findIndex(({ seen }) => seen === value);
            expect(next, `${path} ${JSON.stringify(left)} after ${value}`).toBeGreaterThanOrEqual(0);
            value = left.splice(next, 1)[0]?.to;
          }
          expect(valueAt(end, path)).toBe(value);
        }
      }),
      { numRuns: { sqlite: repeats(25, 1000), postgres: repeats(8, 100) }[engine] },
    );
  });

  it('other fields merge, the same field answers 409 with both values, and nothing is changed then', async () => {
    const { revision, content } = (await load()).body;
    const first = await save({
      revision,
      edits: [
        { path: ['phone'], to: '416 555 0101' },
        { path: ['tables'], to: 7 },
      ],
    });
    expect(first.body.revision).toBeGreaterThan(revision);
    const other = await save({ revision, edits: [{ path: ['openingHours', 'monday'], to: null }] });
    expect(other.body.content).toMatchObject({
      phone: '416 555 0101',
      tables: 7,
      openingHours: { monday: null },
    });
    const both = {
      revision,
      edits: [
        { path: ['phone'], to: '416 555 0202' },
        { path: ['email'], to: 'new@shop.example' },
      ],
    };
    const same = await save(both);
    expect([same.status, same.body.errorKey, Object.keys(same.body.errors ?? {})]).toEqual([
      409,
      'office.document.changed',
      ['phone'],
    ]);
    expect(same.body.errors?.phone).toContain('416 555 0101');
    expect(same.body.errors?.phone).toContain('416 555 0202');
    expect((await load()).body.content.email).toBe(content.email);
    expect((await save({ ...both, revision: other.body.revision })).status).toBe(200);
  });

  it('a field that a file changed meanwhile is asked about as well, unless both have the same value', async () => {
    const { revision, content } = (await load()).body;
    await testApp.services.stores.upsert([{ ...content, phone: '416 555 0303', tables: 9 }]);
    expect((await save({ revision, edits: [{ path: ['phone'], to: 'mine' }] })).status).toBe(409);
    expect((await save({ revision, edits: [{ path: ['phone'], to: '416 555 0303' }] })).status).toBe(200);
    expect((await load()).body.content).toMatchObject({ phone: '416 555 0303', tables: 9 });
  });
});
