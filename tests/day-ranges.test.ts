/** Days from which and to which something is listed, saved or summed. */
import { expect, it } from 'vitest';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp } from '#tests/test-app.ts';

// Entries of the books are read by programs, with a key of their own.
const asking = Object.entries<StaffEndpoint>(staffEndpoints).filter(([name, { query }]) => {
  const fields = (query as { properties?: object } | undefined)?.properties ?? {};
  return name !== 'bookEntries' && 'from' in fields && 'to' in fields;
});

it('a last day before the first is refused at its field, whatever takes two days', async () => {
  const testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    now: Date.parse('2026-11-01T12:00:00Z'),
  });
  const as = await joinStaff(testApp, 'days@example.com');
  const answers = new Map<string, unknown>();
  for (const [name] of asking) {
    const reversed = { from: '2026-10-02', to: '2026-10-01' };
    const ask = (lang: string) =>
      askStaff(testApp, name as StaffEndpointName, { as, query: { ...reversed, lang } });
    const said = await Promise.all(['en', 'zh'].map(ask));
    answers.set(
      name,
      said.map(({ status, body }) => [status, body.errors]),
    );
  }
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining(['orders', 'journal', 'exportJournal', 'takings', 'settlements']),
  );
  const refused = ['The last day is before the first', '结束日期早于开始日期'].map((to) => [400, { to }]);
  expect([...answers].filter(([, said]) => JSON.stringify(said) !== JSON.stringify(refused))).toEqual([]);
});
