/** The session cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionHandle, SessionsService } from '#server/modules/sessions/sessions.service.ts';

/** Behind TLS the browser itself holds the cookie to this host, to TLS and to the whole site. */
const plainCookie = 'sid';
const secureCookie = '__Host-sid';

/** By TLS as far as the shopper is concerned: it ends at a proxy, which need not say so where the shop's address does. */
function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.contract.secure;
}

/** The caller's session, read from the cookie; touches the database only when asked. */
export function sessionOf(request: FastifyRequest, sessions: SessionsService): SessionHandle {
  return sessions.open(cookieOf(request.headers.cookie, cookieName(request)));
}

/** Sends the cookie where the call made, prolonged or ended a session. */
export function sendSession(request: FastifyRequest, reply: FastifyReply, session: SessionHandle): void {
  const cookie = session.issued();
  if (cookie === null) return;
  const secure = isSecure(request) ? '; Secure' : '';
  const maxAge = Math.floor(cookie.maxAgeMs / 1000);
  reply.header(
    'set-cookie',
    `${cookieName(request)}=${cookie.token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`,
  );
}

function cookieName(request: FastifyRequest): string {
  return isSecure(request) ? secureCookie : plainCookie;
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
