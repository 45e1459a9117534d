/** Who calls: the agent of a profile, which is fetched from its address, kept, and compared with what the shop offers. */
import { hash } from 'node:crypto';
import type { Database } from '#db/database.ts';
import { isRecord } from '#server/http/mcp.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import {
  anyNetwork,
  createSafeFetch,
  type NetworkPolicy,
  publicInternet,
  type SafeFetch,
} from '#server/platform/safe-fetch/safe-fetch.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { type AgentRow, findAgent, putAgent } from './agents.repository.ts';
import {
  type Agreed,
  capabilities,
  type Offer,
  offeredCapabilities,
  ProtocolError,
  type UcpVersion,
  ucpVersions,
} from './protocol.ts';

const mostBytes = 128 * 1024;
/** In memory. */
const mostKept = 500;
const seenEveryMs = 10 * minuteMs;

export type Jwk = Partial<Record<'kid' | 'kty' | 'crv' | 'x' | 'y', string>>;

export interface Agent extends Agreed {
  id: string;
  profile: string;
  keys: readonly Jwk[];
  /** Where it wants to be told of orders; null for nowhere. */
  webhookUrl: string | null;
}

/** An agent that publishes keys signs each of its requests (the gate asks for it); of another one, the name is a claim. */
export const isProven = ({ keys }: Agent): boolean => keys.length > 0;

interface Document {
  ucp: {
    version: UcpVersion;
    capabilities: Record<string, { version?: string; config?: { webhook_url?: unknown } }[]>;
  };
  keys: Jwk[];
}

export interface RegistryDeps {
  db: Database;
  now: () => number;
  rateLimits: RateLimitsService;
  env: { webhooksAllowPrivate: boolean };
  reach?: NetworkPolicy;
}

export type Registry = ReturnType<typeof createRegistry>;

export function createRegistry(deps: RegistryDeps) {
  const { db, now, env } = deps;
  const allowPrivate = env.webhooksAllowPrivate;
  const fetch: SafeFetch = createSafeFetch(deps.reach ?? (allowPrivate ? anyNetwork : publicInternet));
  const kept = new Map<string, { row: AgentRow; readAt: number }>();

  async function stored(profile: string): Promise<AgentRow | undefined> {
    const known = kept.get(profile);
    // So that another process's block counts soon.
    if (known && known.readAt > now() - 5000) return known.row;
    const row = await findAgent(db.read, 'profile', profile);
    return row && keep(row);
  }

  function keep(row: AgentRow): AgentRow {
    if (kept.size >= mostKept) kept.clear();
    kept.set(row.profile, { row, readAt: now() });
    return row;
  }

  const put = (
    profile: string,
    change: Pick<AgentRow, 'document' | 'approved' | 'fresh_until'>,
  ): Promise<AgentRow> =>
    db.transaction((trx) => putAgent(trx, { id: agentIdOf(profile), profile, ...change, at: now() }));

  return {
    /** @throws {ProtocolError} for a profile that is missing, wrong, unreachable, malformed or blocked */
    async identify(profile: string | null, offer: Offer, address: string): Promise<Agent> {
      const url = profileUrl(profile, allowPrivate);
      const known = await stored(url);
      if (known?.blocked)
        throw new ProtocolError(403, 'profile_not_trusted', 'This shop does not serve this agent.');
      const isFresh = known && (known.approved === 1 || known.fresh_until > now());
      const row = isFresh ? known : keep(await put(url, await fetchProfile(fetch, deps, url, address)));
      if (row.last_seen_at < now() - seenEveryMs)
        keep(
          await put(url, { document: row.document, approved: row.approved, fresh_until: row.fresh_until }),
        );
      return agentOf(row, offer);
    },
  };
}

/** The document of a profile, from its own address: no redirects, no inner addresses, small, and soon. */
async function fetchProfile(
  fetch: SafeFetch,
  { now, rateLimits }: RegistryDeps,
  profile: string,
  address: string,
) {
  await rateLimits.count([['agentProfileAddress', networkOf(address)]]);
  const unreachable = (reason: string) =>
    new ProtocolError(424, 'profile_unreachable', `The agent's profile cannot be fetched: ${reason}`, {
      rpc: -32001,
    });
  const request = { url: profile, accepts: () => true, maxBytes: mostBytes, redirects: 0 };
  const response = await fetch(request).catch((error: unknown) => {
    throw unreachable(error instanceof Error ? error.message : 'no answer');
  });
  const text = response.body.toString();
  documentIn(text);
  const [, seconds = '0'] = /max-age=(\d{1,9})/.exec(String(response.headers['cache-control'] ?? '')) ?? [];
  // The protocol asks for a minute at least.
  const freshMs = Math.min(Math.max(Number(seconds) * 1000, minuteMs), dayMs);
  return { document: text, approved: 0 as const, fresh_until: now() + freshMs };
}

export const agentIdOf = (profile: string): string => `agent_${hash('sha256', profile).slice(0, 16)}`;

/** As it was last seen. */
export function agentOf(
  { id, profile, document }: Pick<AgentRow, 'id' | 'profile' | 'document'>,
  offer: Offer,
): Agent {
  const { ucp, keys } = documentIn(document);
  const { version, capabilities: named } = ucp;
  const offered = offeredCapabilities(offer, version).filter((name) =>
    named[name]?.some((each) => each.version === version),
  );
  const withParents = offered.filter((name) => {
    const parents = capabilities[name]?.extends;
    return !parents || parents.some((parent) => offered.includes(parent));
  });
  return { id, profile, version, active: new Set(withParents), keys, webhookUrl: webhookUrlIn(named) };
}

function webhookUrlIn(named: Document['ucp']['capabilities']): string | null {
  const url = named['dev.ucp.shopping.order']?.find(({ config }) => config?.webhook_url)?.config?.webhook_url;
  return typeof url === 'string' && url.length <= 1000 && /^https?:\/\//.test(url) && URL.canParse(url)
    ? url
    : null;
}

/** Where an agent wants to be told of orders, by its profile; null for nowhere. */
export const webhookUrlOf = (document: string): string | null =>
  webhookUrlIn(documentIn(document).ucp.capabilities);

export function profileUrl(text: string | null, allowHttp: boolean): string {
  const wrong = (why: string) => new ProtocolError(400, 'invalid_profile_url', why, { rpc: -32001 });
  if (!text) throw wrong('UCP-Agent with the profile of the agent is missing.');
  if (text.length > 1000 || !URL.canParse(text))
    throw wrong("The address of the agent's profile is malformed.");
  const { protocol } = new URL(text);
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:'))
    throw wrong("The agent's profile has to be at https.");
  return text;
}

export function documentIn(text: string): Document {
  const malformed = (why: string) =>
    new ProtocolError(422, 'profile_malformed', `The agent's profile ${why}.`, { rpc: -32001 });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw malformed('is not JSON');
  }
  // Where the versions have them.
  const { ucp, signing_keys: older = [], keys = older } = isRecord(document) ? document : {};
  if (!isRecord(ucp) || typeof ucp.version !== 'string') throw malformed('names no version');
  const { capabilities: named = {} } = ucp;
  if (
    !isRecord(named) ||
    !Object.values(named).every((entries) => Array.isArray(entries) && entries.every(isRecord))
  )
    throw malformed('does not list capabilities by their names');
  if (!Array.isArray(keys) || !keys.every(isRecord)) throw malformed('has no list of signing keys');
  const version = ucpVersions.find((each) => each === ucp.version);
  if (!version) {
    const why = `Version ${ucp.version} is not supported. This shop speaks ${ucpVersions.join(' and ')}.`;
    throw new ProtocolError(422, 'version_unsupported', why, { rpc: -32001 });
  }
  return { ucp: { version, capabilities: named as Document['ucp']['capabilities'] }, keys };
}
