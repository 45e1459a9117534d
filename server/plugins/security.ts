/** Headers that keep a page to itself. Public answers carry them ready-made from the cache. */
import type { FastifyInstance } from 'fastify';
import type { Env } from '#server/env.ts';

/**
 * The content security policy: everything from here, nothing inline, no frames. A page with style
 * attributes adds their hashes (`style-src`), computed when it is rendered.
 */
export function contentSecurityPolicy(styleHashes: readonly string[] = []): string {
  const styles =
    styleHashes.length > 0 ? `; style-src 'self' 'unsafe-hashes' ${styleHashes.map((hash) => `'${hash}'`).join(' ')}` : '';
  return (
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; " +
    `img-src 'self' data:; connect-src 'self'${styles}`
  );
}

export type HeadersFor = (contentType: string) => Record<string, string>;

/**
 * The security headers by kind of answer. JSON needs few: a browser that is made to show it anyway may
 * do nothing with it. Everything else is a document, or can run as a worker by the policy it came with.
 */
export function securityHeaders(env: Env): HeadersFor {
  const always = {
    'x-content-type-options': 'nosniff',
    ...(env.publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  const data = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", ...always };
  const document = {
    'content-security-policy': contentSecurityPolicy(),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self), usb=(), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin',
    ...always,
  };
  return (contentType) => (contentType.startsWith('application/json') ? data : document);
}

export function registerSecurityHeaders(app: FastifyInstance, headersFor: HeadersFor): void {
  app.addHook('onSend', async (request, reply) => {
    const headers = headersFor(String(reply.getHeader('content-type') ?? ''));
    for (const [name, value] of Object.entries(headers)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    reply.header('x-request-id', request.id);
  });
}
