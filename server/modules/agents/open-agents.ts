/** Everything of agents that is loaded with the first call. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import { installationSecret } from '#server/platform/secrets/secrets.service.ts';
import { createAgentsDesk } from './desk.ts';
import { answerMcp, answerRest } from './fronts.ts';
import { createGate } from './gate.ts';
import { createAgentKeys } from './keys.ts';
import { buy, continueCart } from './links.ts';
import { operations } from './operations.ts';
import { payable } from './presenting.ts';
import { createAgentCatalogue } from './products.ts';
import { shopProfile } from './profile.ts';
import { createRegistry } from './registry.ts';
import type { OperationName } from './routes.ts';
import type { SalesDeps } from './sales.ts';

export interface AgentsModuleDeps extends Omit<SalesDeps, 'products' | 'origin' | 'secret'> {
  env: Pick<Env, 'publicUrl' | 'webhooksAllowPrivate'>;
  rateLimits: RateLimitsService;
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
  const access = async () => (await settings.all()).agents;
  const gate = createGate({ ...deps, registry, access, sales });
  const front = { gate, keys, now };

  return {
    keys,
    desk: createAgentsDesk(deps),
    flush: () => gate.flush(),

    async sendProfile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const provider = await payable(sales, await orders.settings());
      const body = JSON.stringify(await shopProfile(await access(), { origin: origin(), keys, provider }));
      const etag = `"${hash('sha256', body, 'base64url')}"`;
      reply.headers({ 'cache-control': 'public, max-age=300', etag });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type('application/json').send(body);
    },

    async rest(name: OperationName, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const operation = operations.find((each) => each.name === name);
      if (!operation) throw new Error(`There is no operation ${name}`);
      return answerRest(front, operation, request, reply);
    },
    mcp: (request: FastifyRequest, reply: FastifyReply) => answerMcp(front, request, reply),
    continueCart: (request: FastifyRequest, reply: FastifyReply) => continueCart(sales, request, reply),
    buy: (request: FastifyRequest, reply: FastifyReply) => buy(sales, request, reply),
  };
}
