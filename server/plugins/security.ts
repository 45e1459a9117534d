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

/** The security headers of every answer. */
export function securityHeaders(env: Env): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self), usb=(), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(env.publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

export function registerSecurityHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of entries) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    reply.header('x-request-id', request.id);
  });
}
