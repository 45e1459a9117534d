/** What the merchant sees and decides of agents. */
import type { AgentSummary } from '#contract/staff/agents.ts';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import { OperationError } from '#server/platform/errors.ts';
import { allAgents, callsSince, changeAgent, dayOf, findAgent, putAgent, salesOf } from './agents.repository.ts';
import { agentIdOf, documentIn, profileUrl } from './registry.ts';

const reportMs = 30 * dayMs;
const mostAgents = 200;

export type AgentsDesk = ReturnType<typeof createAgentsDesk>;

export function createAgentsDesk({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Those seen last come first. */
    async list(): Promise<AgentSummary[]> {
      const rows = await allAgents(db.read, mostAgents);
      const since = now() - reportMs;
      const calls = Map.groupBy(await callsSince(db.read, dayOf(since)), ({ agent }) => agent);
      const { carts, orders } = await salesOf(db.read, since);
      return rows.map(({ id, profile, blocked, approved, last_seen_at: lastSeenAt }) => ({
        id,
        profile,
        blocked: blocked === 1,
        approved: approved === 1,
        lastSeenAt,
        calls: (calls.get(id) ?? []).map(({ operation, problem, calls: count }) => ({ operation, problem, calls: count })),
        carts: carts.get(id) ?? 0,
        orders: orders.get(id) ?? [],
      }));
    },

    /** Keeps a profile as it is given here, and answers its agent without fetching it. Returns the agent's id. */
    async approve({ trx, note }: Change, profile: string, document: string): Promise<string> {
      documentIn(document);
      const url = profileUrl(profile, true);
      const row = { id: agentIdOf(url), profile: url, document, approved: 1 as const, fresh_until: 0 };
      const { id } = await putAgent(trx, { ...row, at: now() });
      note('agent', id, [{ field: 'approved', from: false, to: true }]);
      return id;
    },

    /** Blocks an agent, or serves it again. Every process follows within seconds. @throws {OperationError} if it is unknown */
    async block({ trx, note }: Change, id: string, blocked: boolean): Promise<void> {
      const row = await findAgent(trx, 'id', id);
      if (!row) throw new OperationError('agent.unknown', { id });
      await changeAgent(trx, id, { blocked: blocked ? 1 : 0 });
      note('agent', id, (row.blocked === 1) === blocked ? [] : [{ field: 'blocked', from: !blocked, to: blocked }]);
    },
  };
}
