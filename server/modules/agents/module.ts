/** Composes what agents use. What answers them is loaded with the first call, so that a shop without agents starts as fast as before. */
import type { AgentSummary } from '#contract/staff/agents.ts';
import type { Database } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { once } from '#server/platform/once.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import {
  type AgentRow,
  agentOfOrder,
  allAgents,
  callsSince,
  changeAgent,
  dayOf,
  findAgent,
  putAgent,
  salesOf,
  sweepAgents,
} from './agents.repository.ts';
import type { AgentsModuleDeps, AgentsService } from './open-agents.ts';
import { agentIdOf, documentIn, profileUrl, webhookUrlOf } from './registry.ts';
import { registerAgents } from './routes.ts';

const reportMs = 30 * dayMs;
const mostAgents = 200;

export interface AgentsServices {
  agents: AgentsService;
  agentsDesk: AgentsDesk;
}

export function createAgentsModule(deps: AgentsModuleDeps): ServerModule<AgentsServices> {
  let origin = () => deps.env.publicUrl ?? 'http://localhost';
  let isLoaded = false;
  const agents = once(() => {
    isLoaded = true;
    return import('./open-agents.ts').then(({ openAgents }) => openAgents(deps, () => origin()));
  });
  const agentsDesk = createAgentsDesk(deps);
  deps.webhookEvents.connectAgents({
    async urlOf(trx, orderId) {
      const agent = await agentOfOrder(trx, orderId);
      return agent && !agent.blocked ? webhookUrlOf(agent.document) : null;
    },
    message: async (delivery, at) => (await agents()).orderMessage(delivery, at),
  });
  const flush = async () => (isLoaded ? (await agents()).flush() : undefined);
  return {
    services: { agents, agentsDesk },
    registerRoutes(app) {
      origin = shopOrigin(app, deps.env.publicUrl);
      const isOn = async () => (await deps.settings.all()).agents !== 'off';
      const report = async () => {
        // What was counted a moment ago, too.
        await flush();
        return { access: (await deps.settings.all()).agents, agents: await agentsDesk.list() };
      };
      serveStaff(app, 'agents', report);
      serveStaff(app, 'agentOfOrder', async ({ permit, params }) => {
        const { id } = await deps.officeOrders.reach(permit, params.number);
        return { profile: (await agentOfOrder(deps.db.read, id))?.profile ?? null };
      });
      serveStaff(app, 'blockAgent', async ({ permit, params, body }) => {
        await deps.changes.run(permit.actor, body.blocked ? 'agents block' : 'agents allow', (change) =>
          agentsDesk.block(change, params.id, body.blocked),
        );
        return report();
      });
      registerAgents(app, isOn, agents);
    },
    maintenance: [{ run: () => deps.db.transaction((trx) => sweepAgents(trx, deps.now())) }],
    jobs: [{ name: 'agent calls', everyMs: 10_000, run: flush }],
    stop: flush,
  };
}

type AgentsDesk = ReturnType<typeof createAgentsDesk>;

/** What the merchant sees and decides of agents. */
function createAgentsDesk({ db, now }: { db: Database; now: () => number }) {
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
        calls: (calls.get(id) ?? []).map(({ operation, problem, calls: count }) => ({
          operation,
          problem,
          calls: count,
        })),
        carts: carts.get(id) ?? 0,
        orders: orders.get(id) ?? [],
      }));
    },

    /** Keeps a profile as it is given here, and answers its agent without fetching it. Returns the agent's id. */
    async approve({ trx, note }: Change, profile: string, document: string): Promise<string> {
      documentIn(document);
      const url = profileUrl(profile, true);
      const row = { id: agentIdOf(url), profile: url, document, approved: 1 as const, fresh_until: 0 };
      const before = await findAgent(trx, 'id', row.id);
      const { id } = await putAgent(trx, { ...row, at: now() });
      const shown = (agent?: Pick<AgentRow, 'approved' | 'document'>) => ({
        approved: agent?.approved === 1,
        document: agent?.document,
      });
      note('agent', id, changedFields(shown(before), shown(row)));
      return id;
    },

    /** Blocks an agent, or serves it again. Every process follows within seconds. @throws {OperationError} if it is unknown */
    async block({ trx, note }: Change, id: string, blocked: boolean): Promise<void> {
      const row = await findAgent(trx, 'id', id);
      if (!row) throw new OperationError('agent.unknown', { id });
      await changeAgent(trx, id, { blocked: blocked ? 1 : 0 });
      note(
        'agent',
        id,
        (row.blocked === 1) === blocked ? [] : [{ field: 'blocked', from: !blocked, to: blocked }],
      );
    },
  };
}
