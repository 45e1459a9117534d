/** Serves /robots.txt, /sitemap.xml with its sitemaps, the web app manifest, and security.txt (RFC 9116). */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { localizePath } from '#contract/locale-path.ts';
import { inLocale, type Locale, locales, offeredLocales, offeredOr } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { acceptsGzip } from '#server/http/encoding.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { SitemapService } from './sitemap.service.ts';
import { entryXml, indexXml, sitemapHead, sitemapTail } from './sitemap-xml.ts';

const xml = 'application/xml; charset=utf-8';
/** The addresses of orders, which emails carry. */
const closedPaths = () =>
  offeredLocales()
    .map((locale) => `Disallow: ${localizePath('/order/', locale)}\n`)
    .join('');

/** `origin` returns scheme and host of the shop. */
export function registerSitemaps(
  app: FastifyInstance,
  { sitemaps, settings }: { sitemaps: SitemapService; settings: SettingsService },
  { db, origin }: { db: Database; origin: () => string },
): void {
  const { cache } = app.contract;
  const files = createSitemapFiles(sitemaps, origin);

  app.get('/robots.txt', async (_request, reply) => {
    await settings.all();
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nAllow: /\n${closedPaths()}\nSitemap: ${origin()}/sitemap.xml\n`);
  });

  app.get('/sitemap.xml', {
    onRequest: cache.answerFirst,
    handler: (request, reply) =>
      cache.send(request, reply, async () => {
        const index = await sitemaps.index();
        const listed = index.map(({ name, updatedAt }) => ({ path: `/sitemap/${name}.xml`, updatedAt }));
        return { contentType: xml, body: indexXml(listed, origin()) };
      }),
  });

  app.get<{ Params: { file: string } }>('/sitemap/:file', async (request, reply) => {
    const [, name] = /^([a-z]+-\d{1,9})\.xml$/.exec(request.params.file) ?? [];
    const version = await db.catalogueVersion();
    await settings.all();
    const body = name === undefined ? null : await files.gzipped(name, version);
    if (!body) return unknownEndpoint(request, reply);
    const etag = `W/"sitemap-${version}"`;
    reply.headers({ 'cache-control': 'public, no-cache', vary: 'Accept-Encoding', etag }).type(xml);
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    if (acceptsGzip(request.headers['accept-encoding'])) return reply.header('content-encoding', 'gzip').send(body);
    return reply.send(Readable.from([body]).pipe(createGunzip()));
  });

  app.get<{ Querystring: { lang?: unknown } }>('/site.webmanifest', async (request, reply) => {
    const shop = await settings.all();
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(webManifest(shop, offeredOr(request.query.lang))));
  });
}

/** The members of the web app manifest (https://www.w3.org/TR/appmanifest/). */
function webManifest({ shopName, tagline }: ShopSettings, locale: Locale) {
  const name = inLocale(shopName, locale);
  return {
    name,
    short_name: name,
    description: inLocale(tagline, locale),
    lang: locales[locale].tag,
    id: '/',
    start_url: localizePath('/', locale),
    scope: '/',
    display: 'minimal-ui',
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
    ],
  };
}

const defaultMostBytes = 16 * 1024 * 1024;

/**
 * Compressed part by part, so that no large text is ever in memory; a thirtieth of the size, kept for the catalogue version.
 * `mostBytes` is the size of the cache; the least recently used file is evicted first.
 */
export function createSitemapFiles(sitemaps: SitemapService, origin: () => string, mostBytes: number = defaultMostBytes) {
  let version = -1;
  let bytes = 0;
  const kept = new Map<string, Promise<Buffer | null>>();

  async function make(name: string): Promise<Buffer | null> {
    const entries = await sitemaps.entries(name);
    if (!entries) return null;
    const host = origin();
    async function* xml() {
      yield sitemapHead;
      for await (const part of entries ?? []) yield part.map((entry) => entryXml(entry, host)).join('');
      yield sitemapTail;
    }
    const source = Readable.from(xml());
    const gzip = createGzip();
    source.on('error', (error) => gzip.destroy(error));
    return await buffer(source.pipe(gzip));
  }

  function keep(name: string, size: number): void {
    bytes += size;
    // Maps iterate in insertion order.
    for (const [oldest, made] of kept) {
      if (bytes <= mostBytes || oldest === name) break;
      kept.delete(oldest);
      void made.then((body) => {
        bytes -= body?.length ?? 0;
      });
    }
  }

  return {
    /** A sitemap by name, as gzipped XML; null if there is none. Parallel requests share one generation. */
    async gzipped(name: string, current: number): Promise<Buffer | null> {
      if (current !== version) {
        kept.clear();
        bytes = 0;
        version = current;
      }
      const known = kept.get(name);
      if (known) return known;
      const making = make(name);
      kept.set(name, making);
      const forget = () => {
        if (kept.get(name) === making) kept.delete(name);
      };
      making.then((body) => {
        if (body === null) forget();
        else if (kept.get(name) === making) keep(name, body.length);
      }, forget);
      return making;
    },
  };
}

/** The RFC recommends less than a year. */
const validDays = 180;

interface SecurityTxtOptions {
  origin: () => string;
  now: () => number;
}

/** Serves the file from the setting `securityContact`; answers 404 while it is empty. */
export function registerSecurityTxt(
  app: FastifyInstance,
  { settings }: { settings: SettingsService },
  { origin, now }: SecurityTxtOptions,
): void {
  const path = '/.well-known/security.txt';
  app.get(path, async (request, reply) => {
    const { securityContact } = await settings.all();
    if (securityContact === '') return unknownEndpoint(request, reply);
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(securityTxt(securityContact, { canonical: origin() + path, now: now() }));
  });
}

/** The file's text. It expires at a midnight (UTC), so that it stays the same for a day. */
function securityTxt(contact: string, { canonical, now }: { canonical: string; now: number }): string {
  const expires = new Date((Math.floor(now / dayMs) + validDays) * dayMs);
  const lines = [
    `Contact: ${contact.startsWith('https://') ? contact : `mailto:${contact}`}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${offeredLocales().join(', ')}`,
    `Canonical: ${canonical}`,
  ];
  return `${lines.join('\n')}\n`;
}
