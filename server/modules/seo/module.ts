import type { FastifyInstance } from 'fastify';
import { inLocale, type LocalText, localizePath, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { BlogService, ContentService } from '#server/modules/content/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { registerProductFeeds } from './product-feed.routes.ts';
import { registerSecurityTxt, registerSitemaps } from './sitemap.routes.ts';
import { createSitemapService, type SitemapService } from './sitemap.service.ts';

export interface SeoDeps {
  db: Database;
  env: Env;
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  catalogue: CatalogueService;
  content: ContentService;
  blog: BlogService;
}

export interface SeoServices {
  sitemaps: SitemapService;
}

export function createSeoModule(deps: SeoDeps): ServerModule<SeoServices> {
  const services = { sitemaps: createSitemapService(deps) };
  return {
    services,
    registerRoutes(app) {
      const origin = shopOrigin(app, deps.env.publicUrl);
      registerSitemaps(app, { ...deps, ...services }, { db: deps.db, origin });
      registerProductFeeds(app, { ...deps, origin });
      registerLlmsTxt(app, deps, origin);
      registerSecurityTxt(app, deps, { origin, now: deps.now });
    },
  };
}

export interface LlmsTxtDeps {
  settings: SettingsService;
  catalogue: CatalogueService;
  stores: StoresService;
}

function registerLlmsTxt(app: FastifyInstance, deps: LlmsTxtDeps, origin: () => string): void {
  app.get('/llms.txt', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(await llmsTxt(deps, origin())),
  );
}

/** /llms.txt (https://llmstxt.org): what the shop sells, where it is and how it is read, for programs that read one page. */
async function llmsTxt({ settings, catalogue, stores }: LlmsTxtDeps, origin: string): Promise<string> {
  const { shopName, tagline, footer, agents, currency } = await settings.all();
  const locale = mainLocale();
  const [{ categories }, count, locations] = await Promise.all([
    catalogue.taxonomy(),
    catalogue.taxonCounts(),
    stores.locations(locale),
  ]);
  const said = (text: LocalText) => inLocale(text, locale).replace(/\s+/g, ' ').trim();
  const url = (path: string) => (path.startsWith('/') ? origin + localizePath(path, locale) : path);
  const link = (text: string, path: string, about: string | number = '') =>
    `- [${text.replace(/[[\]]/g, '')}](${url(path)})${about === '' ? '' : `: ${about}`}`;
  const sections = [
    [
      'Products',
      [...categories.values()].flatMap(({ id, name }) =>
        count('category', id) > 0 ? [link(said(name), `/products/${encodeURIComponent(id)}`, count('category', id))] : [],
      ),
    ],
    [
      'Stores',
      locations.map(({ nameContent, address }) =>
        link(said(nameContent), '/contact', `${address.streetNumberAndNameDetails}, ${address.city}`),
      ),
    ],
    ['Policies', footer.links.map(({ label, link: path }) => link(said(label), path))],
    [
      'For programs',
      [
        link('Sitemap', `${origin}/sitemap.xml`),
        ...offeredLocales().flatMap((each) =>
          ['xml', 'jsonl'].map((type) =>
            link(`Product feed (${each}, ${currency}, ${type})`, `${origin}/feeds/products.${each}.${type}`),
          ),
        ),
        ...(agents === 'off'
          ? []
          : [link('Universal Commerce Protocol', `${origin}/.well-known/ucp`, 'search, carts and checkout')]),
      ],
    ],
  ] as const;
  const parts = sections.flatMap(([title, lines]) => (lines.length > 0 ? [`## ${title}\n\n${lines.join('\n')}`] : []));
  const head = [`# ${said(shopName)}`, ...(said(tagline) ? [`> ${said(tagline)}`] : [])];
  return `${[...head, ...parts].join('\n\n')}\n`;
}
