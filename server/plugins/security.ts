/** Headers that keep a page to itself. Public answers carry them ready-made from the cache. */
import type { FastifyInstance } from 'fastify';
import type { Env } from '#server/env.ts';

/** What a page may have beside what the shop itself sends. */
export interface PolicyParts {
  /** `sha256-…` of its style attributes, computed when it is rendered; or a source expression as it is. */
  styles?: readonly string[] | "'unsafe-inline'";
  /** Further hosts of pictures. */
  images?: readonly string[];
  /** Hosts of players and the like that it may frame. */
  frames?: readonly string[];
}

/** The content security policy: everything from here, nothing inline. */
export function contentSecurityPolicy({ styles = [], images = [], frames = [] }: PolicyParts = {}): string {
  const given =
    typeof styles === 'string' ? [styles] : styles.length > 0 ? ["'unsafe-hashes'", ...styles.map((hash) => `'${hash}'`)] : [];
  return [
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'",
    ["img-src 'self' data:", ...images].join(' '),
    "connect-src 'self'",
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    ...(given.length > 0 ? [`style-src 'self' ${given.join(' ')}`] : []),
  ].join('; ');
}

/** Who is asked by an address pattern like `https://{s}.tiles.example/{z}/{x}/{y}.png`, as a policy names it; nobody by a path. */
export function sourceOf(pattern: string): string[] {
  const [, scheme, host] = /^(https?:\/\/)([^/]+)/.exec(pattern) ?? [];
  return scheme && host ? [scheme + host.replace('{s}', '*').replace(/^.*@/, '')] : [];
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
