/** Serves /robots.txt, /sitemap.xml with its sitemaps, and the web app manifest. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { localizePath } from '#contract/locale-path.ts';
import { inLocale, type Locale, locales, offeredLocales, offeredOr } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { acceptsGzip } from '#server/http/encoding.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import type { SitemapService } from './sitemap.service.ts';
import { createSitemapFiles } from './sitemap-files.ts';
import { indexXml } from './sitemap-xml.ts';

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
