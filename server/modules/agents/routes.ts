/** Where agents call. Light, because it is registered before anything of agents is loaded. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { localeCodes, splitLocale } from '#contract/locales.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import { keepBytes, refuseStream, routeMcp } from '#server/http/mcp.ts';
import { requireOwnPage } from '#server/http/own-page.ts';
import type { Agents, AgentsService } from './open-agents.ts';

/** Below the shop's address. */
export const restPath = '/api/ucp';
export const mcpPath = '/api/ucp/mcp';
export const continuePath = '/api/ucp/continue';
export const foodPath = '/api/ucp/food';
export const profilePath = '/.well-known/ucp';

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
  search_locations: 'POST /locations/search',
  lookup_locations: 'POST /locations/lookup',
  'food.create_checkout': 'POST /food/checkout-sessions',
  'food.get_checkout': 'GET /food/checkout-sessions/:id',
  'food.update_checkout': 'PUT /food/checkout-sessions/:id',
  'food.complete_checkout': 'POST /food/checkout-sessions/:id/complete',
  'food.cancel_checkout': 'POST /food/checkout-sessions/:id/cancel',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT'} /${string}`>;
export type OperationName = keyof typeof restRoutes;

async function toLanguageInQuery({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = '', query] = url.split('?', 2);
  const { locale, pathname } = splitLocale(path);
  return reply.redirect(`${pathname}?lang=${locale}${query ? `&${query}` : ''}`, 302);
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** All of it answers 404 while the shop does not serve agents. */
export function registerAgents(
  app: FastifyInstance,
  isOn: () => Promise<boolean>,
  load: AgentsService,
): void {
  const served =
    (handle: (agents: Agents) => Handle): Handle =>
    async (...http) =>
      (await isOn()) ? handle(await load())(...http) : unknownEndpoint(...http);
  const pages: Readonly<Record<string, (agents: Agents) => Handle>> = {
    [profilePath]: ({ sendProfile }) => sendProfile,
    [`${profilePath}/:name`]: ({ sendProfile }) => sendProfile,
    [`${continuePath}/:link`]: ({ showCart }) => showCart,
    '/buy': ({ showItems }) => showItems,
    '/buy/:items': ({ showItems }) => showItems,
  };
  for (const [url, handle] of Object.entries(pages)) app.get(url, served(handle));
  // The language of these pages is in their query; who reads the shop in another one writes it as elsewhere.
  const prefix = `:lang(^(?:${localeCodes.join('|')})$)`;
  for (const url of ['buy', 'buy/:items'])
    app.get(
      `/${prefix}/${url}`,
      served(() => toLanguageInQuery),
    );
  void app.register(async (forms) => {
    // The button of a page says all by its address.
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 100 },
      async () => null,
    );
    forms.post(
      `${continuePath}/:link`,
      { onRequest: requireOwnPage },
      served(({ takeCart }) => takeCart),
    );
    forms.post(
      '/buy/:items',
      { onRequest: requireOwnPage },
      served(({ takeItems }) => takeItems),
    );
  });
  void app.register(async (calls) => {
    // Signatures are of the bytes.
    keepBytes(calls);
    for (const name of Object.keys(restRoutes) as OperationName[]) {
      const [method = '', path = ''] = restRoutes[name].split(' ');
      calls.route({ method, url: restPath + path, handler: served(({ rest }) => rest(name)) });
    }
    for (const url of [mcpPath, `${foodPath}/mcp`])
      routeMcp(
        calls,
        url,
        served(({ mcp }) => mcp),
        { refuse: served(() => refuseStream) },
      );
  });
}
