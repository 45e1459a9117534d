import type { Bit, Fixed, Json } from './tables.ts';

/** A program that shops for people, known by the address of its profile. */
export interface AgentsTable {
  id: Fixed<string>;
  profile: Fixed<string>;
  blocked: Bit;
  /** Its profile was entered by the merchant and is not fetched. */
  approved: Bit;
  document: Json;
  /** Until then the document is not fetched again, epoch ms. */
  fresh_until: number;
  created_at: Fixed<number>;
  last_seen_at: number;
}

/** A cart of an agent, and the checkout that it became. Its lines are in the cart of a session of its own. */
export interface AgentCartsTable {
  id: Fixed<string>;
  agent_id: Fixed<string>;
  is_checkout: Bit;
  canceled: Bit;
  /** The secret of its link, which names the cart to nobody; null of one from before there were any. */
  link: Fixed<string | null>;
  /** What the agent said of buyer and delivery; '{}' once it was cancelled. */
  request: Json;
  /** Why it cannot be completed, as messages of the protocol. */
  problems: Json;
  created_at: Fixed<number>;
  updated_at: number;
}

/** Carts of the shop that came from an agent's: its own, and those into which its link was followed. */
export interface AgentOrdersTable {
  order_id: Fixed<string>;
  cart_id: Fixed<string>;
  agent_id: Fixed<string>;
  /** Of a person's cart: units by SKU that the agent's link put there. Null: all of it is the agent's. */
  brought: Fixed<Json | null>;
}

/** Answers by idempotency key. */
export interface AgentRequestsTable {
  agent_id: Fixed<string>;
  key: Fixed<string>;
  /** Of what was asked. */
  fingerprint: Fixed<string>;
  /** Null while it is being answered by the process that claimed it. */
  status: number | null;
  answer: Json | null;
  claimed_until: number;
  created_at: Fixed<number>;
}

/** Calls of a day by what was asked and what went wrong ('' for nothing). */
export interface AgentCallsTable {
  agent_id: Fixed<string>;
  day: Fixed<string>;
  operation: Fixed<string>;
  problem: Fixed<string>;
  calls: number;
}

export interface AgentTables {
  agents: AgentsTable;
  agent_carts: AgentCartsTable;
  agent_orders: AgentOrdersTable;
  agent_requests: AgentRequestsTable;
  agent_calls: AgentCallsTable;
}
