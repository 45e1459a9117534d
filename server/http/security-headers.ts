import type { FastifyInstance } from 'fastify';
import type { Env } from '#server/platform/env.ts';

export interface PageOrigins {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly connects: readonly string[];
  readonly images: readonly string[];
  /** Origins of style sheets that scripts add to the page. */
  readonly styles?: readonly string[];
}

/** `sha256-…` of what a page has inline. */
export interface InlineHashes {
  readonly styleHashes: readonly string[];
  readonly scriptHashes?: readonly string[] | undefined;
}

export const noOrigins: PageOrigins = { scripts: [], frames: [], connects: [], images: [] };

/** Own origin only, nothing inline, no frames, but for a page's own hashes and `others`. */
export function contentSecurityPolicy(
  { styleHashes, scriptHashes = [] }: InlineHashes = { styleHashes: [] },
  others: PageOrigins = noOrigins,
): string {
  const { scripts, frames, connects, images, styles = [] } = others;
  // A browser ignores 'unsafe-inline', which also allows those attributes, when hashes are present.
  const hashes = styles.includes(inline) ? [] : styleHashes.map((hash) => `'${hash}'`);
  const allowed = [...(hashes.length > 0 ? ["'unsafe-hashes'", ...hashes] : []), ...styles];
  const ifAny = (name: string, sources: readonly string[]) =>
    sources.length > 0 ? [`${name} 'self' ${sources.join(' ')}`] : [];
  return [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ["img-src 'self' data:", ...images].join(' '),
    ["connect-src 'self'", ...connects].join(' '),
    ...ifAny('script-src', [...scriptHashes.map((hash) => `'${hash}'`), ...scripts]),
    ...ifAny('frame-src', frames),
    ...ifAny('style-src', allowed),
  ].join('; ');
}

/** Allows all inline styles, or scripts. */
export const inline = "'unsafe-inline'";

export function originsOf(providers: readonly { browser: PageOrigins }[]): PageOrigins {
  const all = (kind: keyof PageOrigins) => [
    ...new Set(providers.flatMap(({ browser }) => browser[kind] ?? [])),
  ];
  return {
    scripts: all('scripts'),
    frames: all('frames'),
    connects: all('connects'),
    images: all('images'),
    styles: all('styles'),
  };
}

/** On /payment a wallet's window must reach its opener, and a provider's frame may request the browser's own wallet. */
export function paymentPageHeaders({ scripts, frames }: PageOrigins): Record<string, string> {
  if (scripts.length === 0) return {};
  // This policy knows origins only, not the scheme source 'https:'.
  const wallets = [
    'self',
    ...frames.filter((source) => source.includes('//')).map((origin) => `"${origin}"`),
  ].join(' ');
  return {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': permissions(wallets),
  };
}

/** Of the office's document that reads barcodes: with the camera, by a decoder in WebAssembly. */
export const scannerHeaders = {
  'content-security-policy': contentSecurityPolicy(undefined, {
    ...noOrigins,
    scripts: ["'wasm-unsafe-eval'"],
  }),
  'permissions-policy': permissions('', 'self'),
};

/** Of the office while developing: Vite puts scripts and styles into its document, and waits for a server that restarts in a worker. */
export const developmentHeaders = {
  'content-security-policy': [
    contentSecurityPolicy(undefined, { ...noOrigins, scripts: [inline], styles: [inline] }),
    "worker-src 'self' blob:",
  ].join('; '),
};

function permissions(payment: string, camera = ''): string {
  return `camera=(${camera}), microphone=(), geolocation=(), payment=(${payment}), usb=(), browsing-topics=()`;
}

/** Empty for a path. */
export function sourceOf(pattern: string): string[] {
  const [, scheme, host] = /^(https?:\/\/)([^/]+)/.exec(pattern) ?? [];
  return scheme && host ? [scheme + host.replace('{s}', '*').replace(/^.*@/, '')] : [];
}

export type HeadersFor = (contentType: string) => Record<string, string>;

/** JSON needs few: a browser that displays it may do nothing with it. Everything else may be a document or a worker. */
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

/** HSTS for a year. Only the operator knows whether every subdomain also uses TLS. */
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
