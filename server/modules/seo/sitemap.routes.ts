/** Serves /robots.txt, /sitemap.xml with its sitemaps, the web app manifest, and security.txt (RFC 9116). */
import type { FastifyInstance } from 'fastify';
import {
  inLocale,
  type Locale,
  locales,
  localizePath,
  offeredLocales,
  offeredOr,
} from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import {
  type LookPictures,
  lookFiles,
  lookPicturesOf,
  type SettingsService,
  type ShopSettings,
} from '#server/modules/settings/index.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { createGzipFiles, sendXml } from './gzip-files.ts';
import type { SitemapService } from './sitemap.service.ts';
import { entryXml, indexXml, sitemapHead, sitemapTail } from './sitemap.service.ts';

/** The addresses of orders, which emails carry. */
const closedPaths = () =>
  offeredLocales()
    .map((locale) => `Disallow: ${localizePath('/order/', locale)}\n`)
    .join('');

/** `origin` returns scheme and host of the shop. */
export function registerSitemaps(
  app: FastifyInstance,
  {
    sitemaps,
    settings,
    media,
  }: { sitemaps: SitemapService; settings: SettingsService; media: Pick<MediaService, 'images'> },
  { db, now, origin }: { db: Database; now: () => number; origin: () => string },
): void {
  const { cache } = app.contract;
  async function* parts(name: string): AsyncGenerator<string> {
    const host = origin();
    yield sitemapHead;
    for await (const part of (await sitemaps.entries(name)) ?? [])
      yield part.map((entry) => entryXml(entry, host)).join('');
    yield sitemapTail;
  }

  const files = createGzipFiles({ version: async () => db.catalogueVersion(), parts, now });
  app.addHook('onClose', () => files.close());

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
        return { contentType: 'application/xml; charset=utf-8', body: indexXml(listed, origin()) };
      }),
  });

  app.get<{ Params: { file: string } }>('/sitemap/:file', async (request, reply) => {
    const [, name] = /^([a-z]+-\d{1,9})\.xml$/.exec(request.params.file) ?? [];
    await settings.all();
    if (name === undefined || !(await sitemaps.index()).some((file) => file.name === name))
      return unknownEndpoint(request, reply);
    return sendXml(files, name, { request, reply });
  });

  app.get<{ Querystring: { lang?: unknown } }>('/site.webmanifest', async (request, reply) => {
    const shop = await settings.all();
    const { icons } = lookPicturesOf(shop, await media.images(lookFiles(shop)));
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(webManifest(shop, offeredOr(request.query.lang), icons)));
  });
}

/** The members of the web app manifest (https://www.w3.org/TR/appmanifest/). */
function webManifest({ shopName, tagline }: ShopSettings, locale: Locale, icons: LookPictures['icons']) {
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
      ...(icons ? [] : [{ src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }]),
      { src: icons?.app192 ?? '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: icons?.app512 ?? '/icon-512.png', type: 'image/png', sizes: '512x512' },
    ],
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
