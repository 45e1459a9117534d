import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  IssuedCookie,
  SessionHandle,
  SessionsService,
} from '#server/platform/sessions/sessions.service.ts';

/** Over TLS the browser itself restricts the cookie to this host, to TLS and to the whole site. */
export const securePrefix = '__Host-';
export const sessionCookie = 'sid';
const deviceCookie = 'device';

/** Whether the client's connection uses TLS: it ends at a proxy, which need not say so if the shop's public URL does. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.contract.secure;
}

/** Queries the database on first use only. */
export function sessionOf(request: FastifyRequest, sessions: SessionsService): SessionHandle {
  const read = (name: string) => cookieOf(request.headers.cookie, cookieName(request, name));
  return sessions.open(read(sessionCookie), request.ip, read(deviceCookie));
}

/** For calls that a page makes in process. Under both names, because such a call does not see whether its client uses TLS. */
export function sessionCookieOf(request: FastifyRequest): string | null {
  const token = cookieOf(request.headers.cookie, cookieName(request, sessionCookie));
  return token === null ? null : `${sessionCookie}=${token}; ${securePrefix}${sessionCookie}=${token}`;
}

export function sendSession(request: FastifyRequest, reply: FastifyReply, session: SessionHandle): void {
  send(request, reply, sessionCookie, session.issued());
  send(request, reply, deviceCookie, session.issuedDevice());
}

function send(request: FastifyRequest, reply: FastifyReply, name: string, cookie: IssuedCookie | null): void {
  if (cookie === null) return;
  const secure = isSecure(request) ? '; Secure' : '';
  const maxAge = Math.floor(cookie.maxAgeMs / 1000);
  reply.header(
    'set-cookie',
    `${cookieName(request, name)}=${cookie.token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`,
  );
}

function cookieName(request: FastifyRequest, name: string): string {
  return isSecure(request) ? securePrefix + name : name;
}

export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
