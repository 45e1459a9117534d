/** As metrics and traces name it: from a fixed set, never what the client wrote. */
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** Null: the route's own URL. */
    measuredAs: string | null;
  }
}

/** No route: an address that nobody answers. */
export const unknownRoute = '(unknown)';
export const assetRoute = '(asset)';
/** A page that redirects, or that was never rendered. */
export const redirectRoute = '(redirect)';

/** Such as `/api/istore/client/orders/:id`, or `/products/$cat` for a page. */
export function routeLabel(request: FastifyRequest, reply: FastifyReply): string {
  return reply.measuredAs ?? request.routeOptions.url ?? unknownRoute;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Every other method is `other`: Node knows more than 30 of them. */
export function methodName(method: string): string {
  return methods.has(method) ? method : 'other';
}

/** The calls of a page that is rendered come from this process. */
export function isFromClient(request: FastifyRequest): boolean {
  return request.raw.socket instanceof Socket;
}
