/** Everything of agents that is loaded with the first call. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { localizePath, mainLocale } from '#contract/locales.ts';
import { canonicalSelections } from '#contract/rules/modifiers.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import { sendSession, sessionOf } from '#server/http/session-cookie.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { OfficeOrders } from '#server/modules/orders/index.ts';
import type { PaymentProvider } from '#server/modules/payments/index.ts';
import type { Delivery } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import { localeOf } from '#server/platform/i18n.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import { installationSecret } from '#server/platform/secrets/secrets.service.ts';
import { agentOfOrder, findAgentCart, linkOrder, ordersOfCart } from './agents.repository.ts';
import { answerMcp, answerRest } from './fronts.ts';
import { chooseFulfilment } from './fulfilment.ts';
import { createGate } from './gate.ts';
import { linesIn, replaceLines } from './lines.ts';
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
  refusalOf,
  shopping,
  type UcpVersion,
} from './protocol.ts';
import { agentOf, createRegistry } from './registry.ts';
import type { LineInput } from './requests.ts';
import { foodPath, mcpPath, type OperationName, profilePath, restPath } from './routes.ts';
import { handlerRegistry, openSale, payable, type SalesDeps } from './sales.ts';
import { type AgentKeys, createAgentKeys, signPost } from './signatures.ts';

export interface AgentsModuleDeps extends Omit<SalesDeps, 'products' | 'origin' | 'secret'> {
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
  const sales: SalesDeps = { ...deps, origin, secret, products: createAgentCatalogue({ ...deps, origin }) };
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
      const body = JSON.stringify(await shopProfile(kind.offer, kind.version, { origin: origin(), keys, provider }));
      const etag = `"${hash('sha256', body, 'base64url')}"`;
      reply.headers({ 'cache-control': 'public, max-age=300', etag });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type('application/json').send(body);
    },

    rest: (name: OperationName) => answerRest.bind(null, front, name),
    mcp: answerMcp.bind(null, front),
    continueCart: continueCart.bind(null, sales),
    buy: buy.bind(null, sales),
  };
}

/**
 * The ways from an agent to the shop's own pages: the link of a cart brings it into the cart of whoever follows it, and
 * `/buy/<id>:<quantity>,…` fills a cart. Nobody is signed in by them, and nobody's session is handed over: the visitor keeps their
 * own, and the agent never sees what they enter.
 */
async function continueCart(deps: SalesDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { db, cart, sessions } = deps;
  const lang = localeOf(request.query);
  const row = await findAgentCart(db.read, (request.params as { id: string }).id);
  const session = sessionOf(request, sessions);
  const go = (path: string) => reply.header('cache-control', 'no-store').redirect(localizePath(path, lang), 303);
  if (!row || row.canceled) return go('/cart');
  const visit = { ...deps, locale: lang, address: request.ip };
  const sale = await openSale(visit, row);
  const own = await cart.get(session, lang);
  const known = await ordersOfCart(db.read, row.id);
  // Who follows the link twice gets nothing twice.
  if (!known.some(({ id }) => id === own.orderID)) {
    for (const { sku, quantity, modifiers, note } of sale.cart.lineItems)
      await ignoringRefusals(() => cart.add(session, sku, { quantity, modifiers: canonicalSelections(modifiers), note }, lang));
    const filled = await cart.get(session, lang);
    const { orderID } = filled;
    if (orderID === null || filled.lineItems.length === 0) return go('/cart');
    await db.transaction((trx) => linkOrder(trx, orderID, row));
    const [code] = sale.request.discounts?.codes ?? [];
    if (code) await ignoringRefusals(() => deps.couponEntry.verify(session, code, request.ip, lang));
    if (own.method === null && row.is_checkout)
      await ignoringRefusals(() => chooseFulfilment(visit, { ...sale, session, cart: filled }));
  }
  await session.prolong();
  sendSession(request, reply, session);
  return go(row.is_checkout ? '/checkout' : '/cart');
}

/** What cannot be had is not in the cart, which says it. */
async function ignoringRefusals(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refusalOf(error);
  }
}

async function buy(deps: SalesDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const lang = localeOf(request.query);
  const { items } = request.params as { items?: string };
  const query = new URLSearchParams(request.url.split('?')[1]);
  const lines = items === undefined ? [] : items.split(',').map(lineIn);
  if (lines.length > limits.cartLinesMax || lines.some((line) => line === null)) throw notFound();
  const session = sessionOf(request, deps.sessions);
  const before = await deps.cart.get(session, lang);
  const kept = linesIn(before);
  const wanted = lines.flatMap((line) => line ?? []).filter(({ item }) => !kept.some((line) => line.item.id === item.id));
  await replaceLines({ ...deps, locale: lang, address: request.ip }, session, [...kept, ...wanted]);
  await session.prolong();
  sendSession(request, reply, session);
  const code = query.get('discounts/codes/0');
  if (code) await ignoringRefusals(() => deps.couponEntry.verify(session, code.slice(0, 100), request.ip, lang));
  const path = pathIn(query.getAll('continue_to'), deps.origin()) ?? localizePath('/cart', lang);
  return reply.header('cache-control', 'no-store').redirect(path, 303);
}

/** `<id>:<quantity>`; an id with other characters is `~` and its base64url. Null for anything else. */
function lineIn(part: string): LineInput | null {
  const [, token = '', quantity = '1'] = /^(~?[\w.-]{1,300})(?::([1-9]\d{0,2}))?$/.exec(part) ?? [];
  const encoded = token.startsWith('~') ? token.slice(1) : null;
  const bytes = Buffer.from(encoded ?? '', 'base64url');
  if (encoded !== null && (bytes.toString('base64url') !== encoded || !isUtf8(bytes))) return null;
  const id = encoded === null ? token : bytes.toString();
  return id === '' || /\p{Cc}/u.test(id) ? null : { item: { id }, quantity: Number(quantity) };
}

/** Where the visitor goes on: a path of this shop, and nowhere else. Null if it is none, or there are two. */
function pathIn([wanted, ...others]: readonly string[], origin: string): string | null {
  if (others.length > 0 || !wanted?.startsWith('/') || wanted.startsWith('//') || /[\s\\\p{Cc}]|:\/\//u.test(wanted)) return null;
  const url = URL.parse(wanted, origin);
  // `/.//host` is a path, and what is left of it would be another host.
  return url?.origin === new URL(origin).origin && !url.pathname.startsWith('//') ? url.pathname + url.search : null;
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
async function shopProfile(offer: Offer, version: UcpVersion, { origin, keys, provider }: ProfileDeps): Promise<Body> {
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
    ? { 'dev.ucp.common': both('common', restPath, mcpPath), [food]: both('food', foodPath, `${foodPath}/mcp`) }
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
