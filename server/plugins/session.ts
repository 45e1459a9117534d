/** The session cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SessionHandle, type SessionsService, sessionMs } from '#server/modules/sessions/sessions.service.ts';

export const sessionCookie = 'sid';
const inHeader = new RegExp(`(?:^|; *)${sessionCookie}=([\\w-]+) *(?:;|$)`);

/** The caller's session, read from the cookie; touches the database only when asked. */
export function sessionOf(request: FastifyRequest, sessions: SessionsService): SessionHandle {
  return sessions.open(inHeader.exec(request.headers.cookie ?? '')?.[1] ?? null);
}

/** Sends the cookie where the call made or prolonged a session. */
export function sendSession(request: FastifyRequest, reply: FastifyReply, session: SessionHandle): void {
  const token = session.issued();
  if (token === null) return;
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${sessionCookie}=${token}; Path=/; Max-Age=${sessionMs / 1000}; HttpOnly; SameSite=Lax${secure}`);
}
