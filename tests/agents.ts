/** An agent that shops in a test shop, by REST or MCP. */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { TestApp } from './test-app.ts';

export const currentVersion = '2026-08-25';
export const olderVersion = '2026-04-08';
const shopping = ['catalog.search', 'catalog.lookup', 'cart', 'checkout', 'order', 'fulfillment', 'discount'];
const drafts = ['common.location.search', 'common.location.lookup', 'food.checkout', 'food.fulfillment'];
export const everyCapability = (version = currentVersion) =>
  Object.fromEntries(
    [...shopping.map((name) => `shopping.${name}`), ...drafts].map((name) => [
      `dev.ucp.${name}`,
      [{ version }],
    ]),
  );

export const agentProfile = (
  more: { ucp?: object; keys?: readonly object[]; signing_keys?: readonly object[] } = {},
  version = currentVersion,
) => JSON.stringify({ ...more, ucp: { version, capabilities: everyCapability(version), ...more.ucp } });

interface Total {
  type: string;
  amount: number;
}
interface Price {
  amount: number;
  currency: string;
}
export interface AgentProduct {
  id: string;
  title: string;
  categories: object[];
  price_range: { min: Price; max: Price };
  variants: { id: string; price: Price; inputs: { id: string; match: string }[] }[];
}

interface AgentOption {
  id: string;
  title: string;
  earliest_fulfillment_time: string;
  latest_fulfillment_time: string;
  totals: Total[];
}

/** The fields that tests read. An answer has those of its operation. */
export interface AgentBody {
  id: string;
  code: string;
  status: string;
  ucp: { status: string; version: string };
  messages: { type: string; code: string; severity: string; path?: string }[];
  line_items: {
    item: { id: string };
    dish: { id: string; price: number; modifications: { id: string }[] };
    totals: Total[];
    quantity: number;
    status: string;
  }[];
  food_establishment: { id: string };
  locations: { id: string }[];
  tip: { options: object[] };
  totals: Total[];
  discounts: { applied: { code: string; amount: number }[] };
  fulfillment: {
    methods: {
      selected_option_id: string;
      notes: string;
      options: object[];
      destinations: { id: string; type: string }[];
      groups: { options: AgentOption[] }[];
    }[];
    expectations: object[];
  };
  continue_url: string;
  order: { id: string; permalink_url: string; tracking_url: string };
  products: AgentProduct[];
  product: AgentProduct;
  pagination: { cursor: string };
}

export interface RpcAnswer {
  result: { structuredContent: AgentBody };
  error: { code: number; data: { code: string } };
}

export interface AgentAnswer {
  status: number;
  body: AgentBody;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface Agent {
  id: string;
  profile: string;
  ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<AgentAnswer>;
  tool(name: string, args: object, path?: string): Promise<RpcAnswer>;
}

/** For `npm run test:agents`, which judges each answer by the schemas of the protocol. */
function record(asked: string, status: number, body: object): void {
  const file = process.env.UCP_ANSWERS;
  if (file) appendFileSync(file, `${JSON.stringify({ asked, status, body })}\n`);
}

/** Approved by the merchant, so that nothing is fetched. */
export async function approveAgent(
  testApp: TestApp,
  profile = 'https://agent.example/profile',
  document = agentProfile(),
): Promise<Agent> {
  const id = await testApp.container.changes.run({ kind: 'terminal' }, 'agents approve', (change) =>
    testApp.container.agentsDesk.approve(change, profile, document),
  );
  return agentOf(testApp, profile, id);
}

export function agentOf(testApp: TestApp, profile: string, id = ''): Agent {
  return {
    id,
    profile,
    async ask(method, path, body, headers = {}) {
      const answer = await testApp.app.inject({
        method,
        url: `/api/ucp${path}`,
        headers: { 'ucp-agent': `profile="${profile}"`, 'idempotency-key': randomUUID(), ...headers },
        ...(body ? { payload: body } : {}),
      });
      const said: AgentBody = answer.json();
      record(`${method} ${path}`, answer.statusCode, said);
      return { status: answer.statusCode, body: said, headers: answer.headers };
    },
    async tool(name, args, path = '/mcp') {
      const meta = { 'ucp-agent': { profile }, 'idempotency-key': randomUUID() };
      const answer = await testApp.app.inject({
        method: 'POST',
        url: `/api/ucp${path}`,
        payload: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: { meta, ...args } },
        },
      });
      const body: RpcAnswer = answer.json();
      if (body.result)
        record(`${path.includes('food') ? 'food.' : ''}${name}`, 200, body.result.structuredContent);
      return body;
    },
  };
}

export const buyer = {
  first_name: 'Ada',
  last_name: 'Bell',
  email: 'ada@example.com',
  phone_number: '+1 416 555 0100',
};
export const destination = {
  id: 'home',
  street_address: '12 Queen Street West',
  address_locality: 'Toronto',
  address_region: 'ON',
  postal_code: 'M5H 3X4',
  address_country: 'CA',
};
export const shipped = {
  buyer,
  fulfillment: {
    methods: [{ type: 'shipping', destinations: [destination], selected_destination_id: 'home' }],
  },
};
export const lines = (...items: (readonly [id: string, quantity: number])[]) => ({
  line_items: items.map(([id, quantity]) => ({ item: { id }, quantity })),
});
export const pays = (token = 'house_approve') => ({
  payment: {
    instruments: [
      { id: 'i1', handler_id: 'house', type: 'card', selected: true, credential: { type: 'token', token } },
    ],
  },
});
