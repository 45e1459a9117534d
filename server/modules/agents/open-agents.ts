/** Everything of agents that is loaded with the first call. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLocale } from '#contract/locales.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { OfficeOrders } from '#server/modules/orders/index.ts';
import type { PaymentProvider } from '#server/modules/payments/index.ts';
import type { Delivery } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import { installationSecret } from '#server/platform/secrets/secrets.service.ts';
import { createTurns } from '#server/platform/turns.ts';
import { agentOfOrder } from './agents.repository.ts';
import { createCartLinks } from './cart-links.ts';
import { answerMcp, answerRest } from './fronts.ts';
import { createGate } from './gate.ts';
import { orderBody } from './orders.ts';
import { createAgentCatalogue } from './products.ts';
import {
  type Body,
  capabilities,
  currentVersion,
  food,
  type Offer,
  offeredCapabilities,
  olderVersion,
  permalink,
  shopping,
  type UcpVersion,
} from './protocol.ts';
import { agentOf, createRegistry } from './registry.ts';
import { foodPath, mcpPath, type OperationName, profilePath, restPath } from './routes.ts';
import { handlerRegistry, payable, type SalesDeps } from './sales.ts';
import { type AgentKeys, createAgentKeys, signPost } from './signatures.ts';

export interface AgentsModuleDeps extends Omit<SalesDeps, 'products' | 'origin' | 'secret' | 'turns'> {
  env: Pick<Env, 'publicUrl' | 'webhooksAllowPrivate'>;
  rateLimits: RateLimitsService;
  officeOrders: OfficeOrders;
  catalogue: CatalogueService;
  reach?: NetworkPolicy;
}

export type AgentsService = () => Promise<Agents>;

export type Agents = Awaited<ReturnType<typeof openAgents>>;

export async function openAgents(deps: AgentsModuleDeps, origin: () => string) {
  const { db, now, orders, settings } = deps;
  const secret = await installationSecret(db, 'agents');
  const turns = createTurns();
  const sales: SalesDeps = {
    ...deps,
    origin,
    secret,
    turns,
    products: createAgentCatalogue({ ...deps, origin, turns }),
  };
  const registry = createRegistry(deps);
  const keys = createAgentKeys(deps);
  const offer = async () => {
    const { agents: access, agentDrafts: drafts } = await settings.all();
    return { access, drafts };
  };
  const gate = createGate({ ...deps, registry, offer, sales });
  const front = { gate, keys, now, origin, offer };

  /** The whole order, signed with the shop's key. */
  async function orderMessage({ event_id: eventId, body }: Delivery, at: number) {
    const { orderId } = JSON.parse(body) as { orderId: string };
    const row = await agentOfOrder(db.read, orderId);
    const agent = row && !row.blocked ? agentOf(row, { access: 'all', drafts: true }) : null;
    if (!row || !agent?.webhookUrl) return null;
    const order = await orderBody(sales, { id: orderId, cartId: row.cart_id }, agent, mainLocale());
    if (!order) return null;
    const text = JSON.stringify(order);
    const id = eventId ?? '';
    const headers = {
      'ucp-agent': `profile="${origin()}/.well-known/ucp"`,
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'content-type': 'application/json',
    };
    return { body: text, headers: signPost(agent.webhookUrl, headers, text, await keys.signing(), at) };
  }

  return {
    keys,
    orderMessage,
    flush: () => gate.flush(),

    async sendProfile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const kind = profileKind((request.params as { name?: string }).name, await offer());
      if (!kind) return unknownEndpoint(request, reply);
      const provider = await payable(sales, await orders.settings());
      const body = JSON.stringify(
        await shopProfile(kind.offer, kind.version, { origin: origin(), keys, provider }),
      );
      const etag = `"${hash('sha256', body, 'base64url')}"`;
      reply.headers({ 'cache-control': 'public, max-age=300', etag });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type('application/json').send(body);
    },

    rest: (name: OperationName) => answerRest.bind(null, front, name),
    mcp: answerMcp.bind(null, front),
    ...createCartLinks({ ...sales, rateLimits: deps.rateLimits }),
  };
}

interface ProfileDeps {
  origin: string;
  keys: AgentKeys;
  provider: PaymentProvider | null;
}

/**
 * `/.well-known/ucp`: what agents need to know of the shop before they call.
 * Of one version. The current one names the older. Drafts are only in a profile of their own, which no other names.
 */
async function shopProfile(
  offer: Offer,
  version: UcpVersion,
  { origin, keys, provider }: ProfileDeps,
): Promise<Body> {
  const site = `https://ucp.dev/${version}`;
  const isOlder = version === olderVersion;
  const service = (transport: string, endpoint: string, schema: string) => ({
    version,
    spec: `${site}/specification/overview`,
    transport,
    endpoint: origin + endpoint,
    schema: `${site}/services/${schema}`,
  });
  const both = (folder: string, rest: string, mcp: string) => [
    service('rest', rest, `${folder}/rest.openapi.json`),
    service('mcp', mcp, `${folder}/mcp.openrpc.json`),
  ];
  const hasBuy = origin.startsWith('https:');
  const names = offeredCapabilities(offer, version).filter((name) => hasBuy || name !== permalink);
  const named = names.map((name) => {
    const { spec, schema = spec, extends: parents = [] } = capabilities[name] ?? { spec: '' };
    const extended = parents.filter((parent) => names.includes(parent));
    const entry = {
      version,
      spec: `${site}/specification/${isOlder ? spec.replace('shopping/', '') : spec}`,
      schema: `${site}/schemas/${schema}.json`,
      extends: extended.length > 1 ? extended : extended[0],
      config: name === permalink ? { endpoint: `${origin}/buy` } : undefined,
    };
    return [name, [entry]];
  });
  const drafts = offer.drafts
    ? {
        'dev.ucp.common': both('common', restPath, mcpPath),
        [food]: both('food', foodPath, `${foodPath}/mcp`),
      }
    : {};
  const isLeaf = isOlder || offer.drafts;
  return {
    ucp: {
      version,
      supported_versions: isLeaf ? undefined : { [olderVersion]: `${origin}${profilePath}/${olderVersion}` },
      services: { [shopping]: both('shopping', restPath, mcpPath), ...drafts },
      capabilities: Object.fromEntries(named),
      payment_handlers: offer.access === 'all' && provider ? handlerRegistry(provider, origin, version) : {},
    },
    [isOlder ? 'signing_keys' : 'keys']: await keys.published(),
  };
}

/** By what follows the path of the profile; null if there is none. */
function profileKind(name: string | undefined, offer: Offer): { offer: Offer; version: UcpVersion } | null {
  if (name === 'draft') return offer.drafts ? { offer, version: currentVersion } : null;
  const version = name === undefined ? currentVersion : name === olderVersion ? olderVersion : null;
  return version && { offer: { ...offer, drafts: false }, version };
}
