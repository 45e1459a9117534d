/** Headers that keep a page to itself. Public answers carry them ready-made from the cache. */
import type { FastifyInstance } from 'fastify';
import type { Env } from '#server/platform/env.ts';

/** Origins like 'https://sdk.example' that a page may use besides the shop's own, by what its policy allows them. */
export interface PageOrigins {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly connects: readonly string[];
  readonly images: readonly string[];
  /** Of scripts that add style sheets to the page. */
  readonly styles?: readonly string[];
}

/** For pages that use nothing from elsewhere. */
export const noOrigins: PageOrigins = { scripts: [], frames: [], connects: [], images: [] };

/**
 * The content security policy: everything from here, nothing inline, no frames. A page with style
 * attributes adds their hashes (`style-src`), computed when it is rendered; `others` are the origins it
 * may use besides: of payment providers, players, map tiles.
 */
export function contentSecurityPolicy(styleHashes: readonly string[] = [], others: PageOrigins = noOrigins): string {
  const { scripts, frames, connects, images, styles = [] } = others;
  // A browser that is given hashes does not look at 'unsafe-inline', which allows those attributes as well.
  const hashes = styles.includes(inlineStyles) ? [] : styleHashes.map((hash) => `'${hash}'`);
  const allowed = [...(hashes.length > 0 ? ["'unsafe-hashes'", ...hashes] : []), ...styles];
  const ifAny = (name: string, sources: readonly string[]) => (sources.length > 0 ? [`${name} 'self' ${sources.join(' ')}`] : []);
  return [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ["img-src 'self' data:", ...images].join(' '),
    ["connect-src 'self'", ...connects].join(' '),
    ...ifAny('script-src', scripts),
    ...ifAny('frame-src', frames),
    ...ifAny('style-src', allowed),
  ].join('; ');
}

/** A source expression for styles of any origin in the page itself. */
export const inlineStyles = "'unsafe-inline'";

/** What all of them need together, each origin once. */
export function originsOf(providers: readonly { browser: PageOrigins }[]): PageOrigins {
  const all = (kind: keyof PageOrigins) => [...new Set(providers.flatMap(({ browser }) => browser[kind] ?? []))];
  return {
    scripts: all('scripts'),
    frames: all('frames'),
    connects: all('connects'),
    images: all('images'),
    styles: all('styles'),
  };
}

/**
 * What the document of /payment says differently where a third party takes part: a wallet's window has
 * to find the page that opened it, and a provider's frame may ask the browser for its own wallet.
 */
export function paymentPageHeaders({ scripts, frames }: PageOrigins): Record<string, string> {
  if (scripts.length === 0) return {};
  // That policy knows origins only, no 'https:' for all of them.
  const wallets = ['self', ...frames.filter((source) => source.includes('//')).map((origin) => `"${origin}"`)].join(' ');
  return {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': permissions(wallets),
  };
}

function permissions(payment: string): string {
  return `camera=(), microphone=(), geolocation=(), payment=(${payment}), usb=(), browsing-topics=()`;
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
    ...(env.publicUrl?.startsWith('https:') ? { 'strict-transport-security': transportSecurity(env) } : {}),
  };
  const data = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", ...always };
  const document = {
    'content-security-policy': contentSecurityPolicy(),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': permissions('self'),
    'cross-origin-opener-policy': 'same-origin',
    ...always,
  };
  return (contentType) => (contentType.startsWith('application/json') ? data : document);
}

/** For a year. Only the operator knows whether every other host of the domain speaks TLS too. */
function transportSecurity({ hstsSubdomains }: Env): string {
  return `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`;
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
