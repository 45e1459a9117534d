/** Everything of agents that is loaded with the first call. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLocale } from '#contract/locales.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { OfficeOrders } from '#server/modules/orders/index.ts';
import type { Delivery } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import { installationSecret } from '#server/platform/secrets/secrets.service.ts';
import { agentOfOrder } from './agents.repository.ts';
import { answerMcp, answerRest } from './fronts.ts';
import { createGate } from './gate.ts';
import { createAgentKeys } from './keys.ts';
import { buy, continueCart } from './links.ts';
import { orderBody } from './orders.ts';
import { payable } from './presenting.ts';
import { createAgentCatalogue } from './products.ts';
import { profileKind, shopProfile } from './profile.ts';
import { agentOf, createRegistry } from './registry.ts';
import type { OperationName } from './routes.ts';
import type { SalesDeps } from './sales.ts';
import { signPost } from './signatures.ts';

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
    const order = await orderBody(sales, orderId, row.cart_id, agent, mainLocale());
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
