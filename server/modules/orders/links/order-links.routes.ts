/** Serves the calls of order links. */
import type { FastifyInstance } from 'fastify';
import type { EndpointName } from '#contract/shop/paths.ts';
import { type Call, serve } from '#server/http/endpoint.ts';
import type { LinkCall, OrderLinksService } from './order-links.service.ts';

type LinkEndpoint = Extract<EndpointName, `orderLink${string}`>;

export function registerOrderLinksRoutes(app: FastifyInstance, { orderLinks }: { orderLinks: OrderLinksService }): void {
  serve(app, 'orderLink', (call) => orderLinks.view(linkCall(call)));
  serve(app, 'orderLinkCancel', (call) => orderLinks.cancel(linkCall(call)));
  serve(app, 'orderLinkPickup', (call) => orderLinks.changePickup(linkCall(call), call.body.pickupDate));
  serve(app, 'orderLinkRevoke', async (call) => {
    await orderLinks.revoke(linkCall(call));
    return { status: 'success' as const };
  });
}

function linkCall({ params, request, lang }: Pick<Call<LinkEndpoint>, 'params' | 'request' | 'lang'>): LinkCall {
  return { token: params.token, address: request.ip, locale: lang };
}
