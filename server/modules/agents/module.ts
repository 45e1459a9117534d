/** Composes what agents use. What answers them is loaded with the first call, so that a shop without agents starts as fast as before. */

import { shopOrigin } from '#server/http/origin.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { once } from '#server/platform/once.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { agentOfOrder, sweepAgents } from './agents.repository.ts';
import { type AgentsDesk, createAgentsDesk } from './desk.ts';
import type { AgentsModuleDeps, AgentsService } from './open-agents.ts';
import { webhookUrlOf } from './registry.ts';
import { registerAgents } from './routes.ts';

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
