/** The calls of the room Agents: the programs that shop for people. */
import Type, { type Static } from 'typebox';
import { Cents, Count, described, EpochMs, Flag, Id, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { number } from './orders.ts';

export const AgentSummary = Type.Object({
  id: Id,
  profile: described('The address of its profile, which names it.', Type.String()),
  blocked: Flag,
  approved: described('Its profile was entered by the merchant and is not fetched.', Flag),
  lastSeenAt: EpochMs,
  calls: described(
    'Of the last 30 days.',
    Type.Array(
      Type.Object({
        operation: described('Such as `search_catalog`.', Type.String()),
        problem: described("The code of what went wrong; '' for nothing.", Type.String()),
        calls: Count,
      }),
    ),
  ),
  carts: described('Begun in the last 30 days.', Count),
  orders: described(
    'Placed in the last 30 days.',
    Type.Array(Type.Object({ currency: described('ISO 4217.', Type.String()), count: Count, total: Cents })),
  ),
});
export type AgentSummary = Static<typeof AgentSummary>;

const Agents = Type.Object({
  access: described('The setting `agents`.', Type.Enum(['off', 'carts', 'all'])),
  agents: described('Those seen last come first.', Type.Array(AgentSummary)),
});

export const agentEndpoints = {
  agents: {
    route: 'GET agents',
    summary: 'Who shops for people here: what they asked for, what failed, and what they bought.',
    needs: 'agents.manage',
    response: Agents,
  },
  agentOfOrder: {
    route: 'GET orders/:number/agent',
    summary: 'The agent that brought an order.',
    needs: 'orders.read',
    params: number,
    response: Type.Object({
      profile: described(
        'The address of its profile; null for an order of no agent.',
        Nullable(Type.String()),
      ),
    }),
  },
  blockAgent: {
    route: 'POST agents/:id',
    repeat: 'same',
    summary: 'Serves an agent no more, or again.',
    needs: 'agents.manage',
    params: Strict({ id: Id }),
    body: Strict({ blocked: Flag }),
    response: Agents,
  },
} as const satisfies Record<string, StaffEndpoint>;
