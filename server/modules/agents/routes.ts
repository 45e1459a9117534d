/** Where agents call. Light, because it is registered before anything of agents is loaded. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownEndpoint } from '#server/http/errors.ts';

/** Below the shop's address. */
export const restPath = '/api/ucp';
export const mcpPath = '/api/ucp/mcp';
export const continuePath = '/api/ucp/continue';

/** By the names of operations. */
export const restRoutes = {
  search_catalog: 'POST /catalog/search',
  lookup_catalog: 'POST /catalog/lookup',
  get_product: 'POST /catalog/product',
  create_cart: 'POST /carts',
  get_cart: 'GET /carts/:id',
  update_cart: 'PUT /carts/:id',
  cancel_cart: 'POST /carts/:id/cancel',
  create_checkout: 'POST /checkout-sessions',
  get_checkout: 'GET /checkout-sessions/:id',
  update_checkout: 'PUT /checkout-sessions/:id',
  complete_checkout: 'POST /checkout-sessions/:id/complete',
  cancel_checkout: 'POST /checkout-sessions/:id/cancel',
  get_order: 'GET /orders/:id',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT'} /${string}`>;
export type OperationName = keyof typeof restRoutes;

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export interface AgentHandlers {
  profile: Handle;
  rest(name: OperationName): Handle;
  mcp: Handle;
  continueCart: Handle;
  buy: Handle;
}

/** All of it answers 404 while the shop does not serve agents. */
export function registerAgents(app: FastifyInstance, isOn: () => Promise<boolean>, handlers: AgentHandlers): void {
  const served =
    (handle: Handle): Handle =>
    async (request, reply) =>
      (await isOn()) ? handle(request, reply) : unknownEndpoint(request, reply);
  app.get('/.well-known/ucp', served(handlers.profile));
  app.get(`${continuePath}/:id`, served(handlers.continueCart));
  app.get('/buy/:items', served(handlers.buy));
  void app.register(async (calls) => {
    // Signatures are of the bytes.
    calls.removeContentTypeParser('application/json');
    calls.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const name of Object.keys(restRoutes) as OperationName[]) {
      const [method = '', path = ''] = restRoutes[name].split(' ');
      calls.route({ method, url: restPath + path, handler: served(handlers.rest(name)) });
    }
    calls.post(mcpPath, served(handlers.mcp));
    calls.route({
      method: ['GET', 'DELETE'],
      url: mcpPath,
      // No stream, and no session to end.
      handler: served(async (_request, reply) => reply.status(405).header('allow', 'POST').send()),
    });
  });
}
