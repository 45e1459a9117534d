/** The session cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionHandle, SessionsService } from '#server/modules/sessions/sessions.service.ts';

/** Behind TLS the browser itself holds the cookie to this host, to TLS and to the whole site. */
const plainCookie = 'sid';
const secureCookie = '__Host-sid';

/** The caller's session, read from the cookie; touches the database only when asked. */
export function sessionOf(request: FastifyRequest, sessions: SessionsService): SessionHandle {
  return sessions.open(cookieOf(request.headers.cookie, cookieName(request)));
}

/** Sends the cookie where the call made, prolonged or ended a session. */
export function sendSession(request: FastifyRequest, reply: FastifyReply, session: SessionHandle): void {
  const cookie = session.issued();
  if (cookie === null) return;
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const maxAge = Math.floor(cookie.maxAgeMs / 1000);
  reply.header(
    'set-cookie',
    `${cookieName(request)}=${cookie.token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`,
  );
}

function cookieName(request: FastifyRequest): string {
  return request.protocol === 'https' ? secureCookie : plainCookie;
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
