/** Kills the server while staff save documents. Every answered save is there with its entry of the journal, and none is there in part. */
import { expect, it } from 'vitest';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { differences } from '#contract/rules/patch.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { repeats } from '#tests/long.ts';
import { startShop } from '#tests/processes.ts';
import { joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { environment } from './buying.ts';

const ids = ['toronto-queen-west', 'ottawa-byward', 'waterloo-uptown'];
const savesBeforeTheKill = 60;
const kills = repeats(2, 16);

forEachEngine((engine) => {
  it('a save that was answered survives SIGKILL, and a document is as its last entry of the journal left it', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    // Sessions of the processes begin now.
    testApp.clock.set(Date.now());
    const owner = await joinStaff(testApp, 'kill@shop.example');
    await secureStaff(testApp, owner);
    const store = async (id: string) =>
      (await testApp.container.stores.read(testApp.db.read)).find((each) => each.id === id);
    const before = new Map(await Promise.all(ids.map(async (id) => [id, await store(id)] as const)));
    const saved = new Map<string, number>();
    let last = 0;
    for (let round = 0; round < kills; round++) {
      const shop = await startShop(environment(testApp));
      let [answered, isKilled] = [0, false];
      const ask = async (path: string, body?: object) => {
        const answer = await fetch(`${shop.url}${staffBase}stores/${path}`, {
          method: body ? 'POST' : 'GET',
          headers: {
            [clientTokenHeader]: staffToken,
            cookie: owner.header,
            'content-type': 'application/json',
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        expect(answer.status).toBe(200);
        return (await answer.json()) as StaffResponse<'store'>;
      };
      const saveUntilKilled = async (id: string) => {
        while (!isKilled) {
          const { revision } = await ask(id);
          last += 1;
          const [tables, edits] = [
            last,
            [
              { path: ['tables'], to: last },
              { path: ['phone'], to: `416 555 ${last}` },
            ],
          ];
          await ask(id, { revision, edits });
          saved.set(id, tables);
          answered += 1;
          if (answered >= savesBeforeTheKill && !isKilled) {
            isKilled = true;
            shop.child.kill('SIGKILL');
          }
        }
      };
      await Promise.all(
        ids.map((id) => saveUntilKilled(id).catch((error) => expect(isKilled, String(error)).toBe(true))),
      );
      await shop.end();
      for (const id of ids) {
        const there = await store(id);
        // One whose answer was lost may be there as well.
        expect(there?.tables).toBeGreaterThanOrEqual(saved.get(id) ?? 0);
        expect(there?.phone).toBe(`416 555 ${there?.tables}`);
        expect(
          differences(before.get(id), there)
            .map(({ path }) => path.join('.'))
            .sort(),
        ).toEqual(['phone', 'tables']);
        const [entry] = await testApp.container.changes.journal({ kind: 'store', id, most: 1 });
        expect(entry?.fields?.find(({ field }) => field === 'tables')?.to).toBe(there?.tables);
      }
    }
  });
});
