import type { FastifyInstance } from 'fastify';
import { formatMoney } from '#contract/formatters.ts';
import { weekdays } from '#contract/limits.ts';
import { inLocale, type LocalText, localizePath, mainLocale, offeredLocales } from '#contract/locales.ts';
import { hoursText } from '#contract/rules/opening-hours.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { everything } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { BlogService, ContentService } from '#server/modules/content/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { cachedByTopics } from '#server/platform/recorded-reads.ts';
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
      registerSitemaps(app, { ...deps, ...services }, { db: deps.db, now: deps.now, origin });
      registerProductFeeds(app, { ...deps, origin });
      registerLlmsTxt(app, deps, origin);
      registerSecurityTxt(app, deps, { origin, now: deps.now });
    },
  };
}

export interface LlmsTxtDeps {
  db: Database;
  settings: SettingsService;
  catalogue: CatalogueService;
  stores: StoresService;
}

function registerLlmsTxt(app: FastifyInstance, deps: LlmsTxtDeps, origin: () => string): void {
  const { cache } = app.contract;
  // Whatever query an address has, which the other cache takes for another page.
  const text = cachedByTopics(deps.db, [everything], () => llmsTxt(deps, origin()));
  app.get('/llms.txt', {
    onRequest: cache.answerFirst,
    handler: (request, reply) =>
      cache.send(request, reply, async () => ({
        contentType: 'text/plain; charset=utf-8',
        body: await text(),
      })),
  });
}

/** /llms.txt (https://llmstxt.org): what the shop sells, where it is and how it is read, for programs that read one page. */
async function llmsTxt(
  { settings, catalogue, stores }: Omit<LlmsTxtDeps, 'db'>,
  origin: string,
): Promise<string> {
  const shop = await settings.all();
  const { shopName, tagline, footer, agents, currency, checkoutConfig, shippingMethods } = shop;
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
  const money = (cents: number) => `${formatMoney(cents, locale, currency)} ${currency}`;
  const listed: string[] = [];
  for (const { id, name } of categories.values()) {
    const products = count('category', id);
    if (products === 0) continue;
    const [cheapest] = await catalogue.summaries(
      { categoryName: id },
      { sortby: 'price', numberToLoad: 1 },
      locale,
    );
    const from = cheapest ? `, from ${money(cheapest.priceInfo.price)}` : '';
    listed.push(link(said(name), `/products/${encodeURIComponent(id)}`, `${products}${from}`));
  }
  const weekly = ({ openingHours }: PickupLocation) =>
    weekdays
      .map((day) => `${day.slice(0, 3)} ${hoursText(openingHours[day], ' and ') || 'closed'}`)
      .join(', ');
  const parcels = checkoutConfig.domesticShippingEnabled ? shippingMethods : [];
  const delivery = [
    ...parcels.map(
      ({ name, priceCents, freeOverCents, minBusinessDays: least, maxBusinessDays: most, countries }) => {
        const free = freeOverCents === null ? '' : `, free from ${money(freeOverCents)}`;
        const where = countries.length > 0 ? ` to ${countries.join(', ')}` : '';
        return `- ${said(name)}${where}: ${money(priceCents)}${free}, ${least}–${most} business days`;
      },
    ),
    ...(checkoutConfig.enablePickup
      ? locations
          .filter(({ allowPickup }) => allowPickup)
          .map(({ nameContent }) => `- Pickup at ${said(nameContent)}: free`)
      : []),
  ];
  const sections = [
    ['Products (prices before tax)', listed],
    [
      'Stores',
      locations.map((store) => {
        const { streetNumberAndNameDetails: street, city } = store.address;
        return link(
          said(store.nameContent),
          '/contact',
          `${street}, ${city}. Open ${weekly(store)} (${store.timeZone})`,
        );
      }),
    ],
    ['Delivery and pickup', delivery],
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
          : [
              link('Universal Commerce Protocol', `${origin}/.well-known/ucp`, 'search, carts and checkout'),
              link(
                'Link that fills a cart',
                `${origin}/buy/SKU:2,SKU:1?continue_to=/checkout`,
                'by SKUs and quantities; it asks the visitor first',
              ),
            ]),
      ],
    ],
  ] as const;
  const parts = sections.flatMap(([title, lines]) =>
    lines.length > 0 ? [`## ${title}\n\n${lines.join('\n')}`] : [],
  );
  const head = [`# ${said(shopName)}`, ...(said(tagline) ? [`> ${said(tagline)}`] : [])];
  return `${[...head, ...parts].join('\n\n')}\n`;
}
