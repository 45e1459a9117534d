/** What every call of an agent passes, by REST and by MCP alike: who it is, its limits, its signature, its idempotency key. */
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { createMeter } from '#server/platform/rate-limits/meter.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { collectReads } from '#server/platform/recorded-reads.ts';
import {
  addCalls,
  answerRequest,
  type CallCount,
  claimRequest,
  findRequest,
  releaseRequest,
} from './agents.repository.ts';
import { type Operation, runOperation } from './operations.ts';
import { type Answer, type Message, type Offer, ProtocolError, protocolErrorOf } from './protocol.ts';
import type { Agent, Registry } from './registry.ts';
import type { SalesDeps } from './sales.ts';
import { type SignedRequest, verifyRequest } from './signatures.ts';

/** Longer than any call takes, so that only a dead process loses its claim. */
const claimMs = 30_000;
const waitMs = 10_000;
const stepMs = 50;

/** Of reads, by network and by agent: a product, a store or a page of a search is about one unit. */
const reads = { burst: 1200, perSecond: 40 };
/** An agent may call from several networks. */
const networksOfAgent = 4;

export interface GateDeps {
  db: Database;
  now: () => number;
  rateLimits: RateLimitsService;
  registry: Registry;
  offer: () => Promise<Offer>;
  sales: SalesDeps;
}

export interface AgentCall {
  /** Null if it names none. */
  profile: string | null;
  /** Of an operation that changes something; null without one. */
  key: string | null;
  id: string;
  input: unknown;
  locale: Locale;
  address: string;
  signed: SignedRequest;
}

export type Gate = ReturnType<typeof createGate>;

export function createGate(deps: GateDeps) {
  const { db, now, rateLimits, registry, offer, sales } = deps;
  const counts = new Map<string, CallCount>();
  const byNetwork = createMeter({ now, ...reads });
  const byAgent = createMeter({
    now,
    burst: reads.burst * networksOfAgent,
    perSecond: reads.perSecond * networksOfAgent,
  });

  function note(agent: string, operation: string, problem: string): void {
    const day = new Date(now()).toISOString().slice(0, 10);
    const id = [agent, day, operation, problem].join('\n');
    const known = counts.get(id);
    if (known) known.calls += 1;
    else counts.set(id, { agent, day, operation, problem, calls: 1 });
  }

  async function readWithin(
    units: number,
    { id, network }: { id: string; network: string },
    run: () => Promise<Answer>,
  ) {
    byNetwork.use(network, units);
    byAgent.use(id, units);
    return (await collectReads(run)).value;
  }

  return {
    /** @throws {ProtocolError} for everything that is not an outcome of the operation */
    async answer(operation: Operation, call: AgentCall): Promise<Answer> {
      const { profile, address, locale, signed } = call;
      let agent: Agent | null = null;
      try {
        const known = await registry.identify(profile, await offer(), address);
        agent = known;
        // Without a signature, the name of an agent is a claim of whoever calls.
        if (!verifyRequest(signed, known.keys) && known.keys.length > 0)
          throw new ProtocolError(
            401,
            'signature_missing',
            'An agent that publishes keys signs its requests.',
          );
        const units = operation.cost(call.input);
        const run = () => runOperation(operation, call, { ...sales, agent: known, locale, address });
        // What only reads is of one moment, as an answer of the shop's own.
        const answer = operation.changes
          ? await once(deps, { operation, call, agent: known }, async () => {
              // A request that was answered before costs a read, and is not counted.
              await rateLimits.count([
                ['agentChanges', known.id, units],
                ['agentChangesAddress', networkOf(address), units],
              ]);
              return run();
            })
          : await readWithin(units, { id: known.id, network: networkOf(address) }, run);
        note(known.id, operation.name, problemIn(answer));
        return answer;
      } catch (error) {
        const said = protocolErrorOf(error, locale);
        if (agent) note(agent.id, operation.name, said.code);
        throw said;
      }
    },

    /** Writes what was counted since the last time. */
    async flush(): Promise<void> {
      const all = [...counts.values()];
      counts.clear();
      if (all.length > 0) await db.transaction((trx) => addCalls(trx, all));
    },
  };
}

/** Answers a key once. A request that was answered is answered the same, and one that is under way is waited for. */
async function once(
  { db, now }: GateDeps,
  { operation, call, agent }: { operation: Operation; call: AgentCall; agent: Agent },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { key } = call;
  if (key === null) return run();
  if (key.length < 8 || key.length > 200)
    throw new ProtocolError(400, 'invalid_request', 'The idempotency key is malformed.', { rpc: -32602 });
  const fingerprint = hash('sha256', JSON.stringify([operation.name, call.id, call.input ?? null]));
  const request = { agent_id: agent.id, key, fingerprint };
  for (const until = now() + waitMs; ; await pause(stepMs)) {
    const at = now();
    if (await db.transaction((trx) => claimRequest(trx, request, at, at + claimMs))) break;
    const known = await findRequest(db.read, request);
    if (known && known.fingerprint !== fingerprint)
      throw new ProtocolError(
        409,
        'idempotency_conflict',
        'The idempotency key was used for another request.',
      );
    if (known && known.status !== null)
      return { status: known.status, body: JSON.parse(known.answer ?? '{}') };
    if (now() >= until)
      throw new ProtocolError(503, 'in_progress', 'The same request is being answered.', { retryAfterS: 5 });
  }
  try {
    const answer = await run();
    await db.transaction((trx) => answerRequest(trx, request, answer.status, JSON.stringify(answer.body)));
    return answer;
  } catch (error) {
    await db.transaction((trx) => releaseRequest(trx, request));
    throw error;
  }
}

/** The code of the first error that an answer tells; '' for none. */
function problemIn({ body }: Answer): string {
  const messages = (body.messages ?? []) as Message[];
  return messages.find(({ type }) => type === 'error')?.code ?? '';
}
