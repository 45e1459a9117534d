/** Loads the data of the shell around every page. */
import { formatMoney } from '#contract/formatters.ts';
import { navigationParts } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { asksConsentToNews } from '#contract/news-consent.ts';
import type { Edit } from '#contract/rules/patch.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { NavigationDocument, NavigationLink } from '#contract/schemas/navigation.ts';
import type { AppContent, OpenStore } from '#contract/schemas/shop.ts';
import { type CatalogueService, childrenOf } from '#server/modules/catalogue/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import {
  cardSize,
  hasOwnColours,
  lookColours,
  lookDraft,
  lookFiles,
  lookOf,
  lookPicturesOf,
  navigationDraft,
  navigationFiles,
  navigationOf,
  pageStyle,
  type SettingsService,
  type ShopSettings,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { type BrandClock, brand } from '#server/platform/brand.ts';
import { notFound } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { recordUntil } from '#server/platform/recorded-reads.ts';
import type { BlogService } from '../blog/blog.service.ts';

export type ShellService = ReturnType<typeof createShellService>;

export interface ShellDeps {
  connections: Pick<ConnectionsService, 'current'>;
  blog: Pick<BlogService, 'hasBlogs'>;
  catalogue: CatalogueService;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  now: () => number;
}

export function createShellService({
  connections,
  blog,
  catalogue,
  settings,
  stores,
  media,
  now,
}: ShellDeps) {
  async function shopImage() {
    const places = (await stores.all()).filter(({ display, image }) => display && image !== null);
    const file = (places.find(({ mainStore }) => mainStore) ?? places[0])?.image ?? null;
    return file === null ? null : ((await media.images([file])).get(file) ?? null);
  }

  async function mainCountry(): Promise<string | undefined> {
    return (await stores.all()).find(({ mainStore }) => mainStore)?.address.countryISOCode;
  }

  /** `draft` has settings in place of those that are stored. */
  async function contentOf(locale: Locale, draft: Partial<ShopSettings> = {}): Promise<AppContent> {
    const [
      { mapTilesUrl: tilesUrl, mapAttribution: attribution },
      stored,
      taxonomy,
      image,
      hasBlog,
      open,
      country,
      timeZone,
    ] = await Promise.all([
      connections.current(),
      settings.all(),
      catalogue.names(),
      shopImage(),
      blog.hasBlogs(),
      stores.open(locale),
      mainCountry(),
      stores.timeZone(),
    ]);
    const shop = { ...stored, ...draft };
    const images = await media.images([...lookFiles(shop), ...navigationFiles(shop)]);
    const pictures = lookPicturesOf(shop, images);
    const shopName = inLocale(shop.shopName, locale);
    const { logoText } = lookOf(shop);
    const logo = pictures.logo && {
      ...pictures.logo,
      text: (logoText && inLocale(logoText, locale)) || shopName,
    };
    return {
      shopName,
      tagline: inLocale(shop.tagline, locale),
      contactEmail: shop.contactEmail,
      languages: shop.languages,
      currency: shop.currency,
      isDemonstration: shop.isDemonstration,
      footer: {
        notice: inLocale(shop.footer.notice, locale),
        shortNotice: inLocale(shop.footer.shortNotice, locale),
        copyright: inLocale(shop.footer.copyright, locale),
        ...shownNavigation(navigationOf(shop, 'footer'), { hasBlog, locale, images }),
      },
      look: {
        paper: pageColours(shop),
        logo,
        icons: pictures.icons && { small: pictures.icons.small, touch: pictures.icons.touch },
      },
      header: shownNavigation(navigationOf(shop, 'header'), { hasBlog, locale, images }),
      socialLinks: shop.socialLinks.map(({ network, label, url }) => ({
        network,
        label: inLocale(label, locale),
        url,
      })),
      image: pictures.card
        ? {
            imageURL: pictures.card,
            ...cardSize,
            color: pageColours(shop)?.light ?? '#ffffff',
            alt: shopName,
          }
        : image,
      map: { tilesUrl, attribution },
      newsletterTicked: shop.newsletterTicked ?? !asksConsentToNews(country),
      hasBlog,
      ...(brand.shellExtras ? { extras: brand.shellExtras(shop) } : {}),
      seasonNote: seasonNote(shop, { now: now(), timeZone, locale }),
      facts: shopFacts({ settings: shop, stores: open, country }, locale),
      menu: childrenOf(taxonomy, null).map(({ id, name }) => ({
        name: id,
        label: inLocale(name, locale),
        children: childrenOf(taxonomy, id).map((child) => ({
          name: child.id,
          label: inLocale(child.name, locale),
        })),
      })),
    };
  }

  return {
    async commonSearches(locale: Locale): Promise<string[]> {
      const { commonSearches } = await settings.all();
      return commonSearches.map((text) => inLocale(text, locale)).filter(Boolean);
    },
    content: (locale: Locale) => contentOf(locale),
    /** As it would be after edits of the header or the footer. @throws {AppError} 404 if there is no such place */
    async navigationDraft(id: string, edits: readonly Edit[], locale: Locale): Promise<AppContent> {
      const draft = navigationDraft(await settings.all(), id, edits);
      if (!draft) throw notFound();
      return contentOf(locale, draft);
    },
    /** As it would be after edits of the look, with the style that these would give. @throws {AppError} 404 if there is no such look */
    async lookDraft(
      id: string,
      edits: readonly Edit[],
      locale: Locale,
    ): Promise<{ content: AppContent; style: ReturnType<typeof pageStyle> }> {
      const draft = lookDraft(await settings.all(), id, edits);
      if (!draft) throw notFound();
      return { content: await contentOf(locale, draft), style: pageStyle(draft) };
    },
  };
}

function pageColours(shop: ShopSettings): AppContent['look']['paper'] {
  if (!hasOwnColours(shop)) return null;
  const { light, dark } = lookColours(shop);
  return { light: light.get('paper') ?? '', dark: dark.get('paper') ?? '' };
}

function shownNavigation(
  document: NavigationDocument,
  { hasBlog, locale, images }: { hasBlog: boolean; locale: Locale; images: ReadonlyMap<string, ImageInfo> },
): AppContent['header'] {
  // Beside the links of a group, which only the header opens.
  const pictureOf = ({ picture, children = [] }: NavigationLink) =>
    document.id === 'header' && children.length > 0 && picture !== undefined
      ? images.get(picture)
      : undefined;
  const said = ({ label, link }: { label: LocalText; link: string }) => ({
    label: inLocale(label, locale),
    link,
  });
  return {
    links: document.links.map((each) => {
      const picture = pictureOf(each);
      return { ...said(each), ...(picture && { picture }), children: (each.children ?? []).map(said) };
    }),
    parts: navigationParts.filter((part) => document[part] && (part !== 'blog' || hasBlog)),
  };
}

/** That of the merchant comes before that of the brand. */
function seasonNote(shop: ShopSettings, clock: BrandClock): AppContent['seasonNote'] {
  const { text, link } = navigationOf(shop, 'header').strip ?? {};
  const said = text ? inLocale(text, clock.locale) : '';
  if (said !== '') return { text: said, link: link ?? '' };
  const note = brand.seasonNote?.(shop, clock);
  if (!note) return null;
  recordUntil(note.until);
  return note.text ? { text: note.text, link: note.link } : null;
}

type Fact = AppContent['facts'][number];

interface FactSources {
  settings: ShopSettings;
  stores: readonly OpenStore[];
  /** The country of the main store, as ISO 3166-1 code; undefined for a shop without stores. */
  country: string | undefined;
}

function shopFacts({ settings, stores, country }: FactSources, locale: Locale): Fact[] {
  const t = translate(locale);
  const freeOver = freeShippingFrom(settings, country);
  const { returnsLine } = settings;
  const open = stores.filter(({ isOpen }) => isOpen).length;
  const count = t('fact.stores', { count: stores.length });
  const facts: (Fact | null)[] = [
    freeOver === null
      ? null
      : {
          kind: 'shipping',
          text: t('fact.freeShipping', { amount: formatMoney(freeOver, locale, settings.currency) }),
          link: null,
        },
    stores.length === 0
      ? null
      : {
          kind: 'stores',
          text: open === 0 ? count : t('fact.storesOpen', { stores: count, open }),
          link: '/contact',
        },
    returnsLine && { kind: 'returns', text: inLocale(returnsLine.text, locale), link: returnsLine.link },
  ];
  return facts.filter((fact) => fact !== null);
}

/** The least amount, in cents, from which shipping within the shop's own country is free; null if it never is. */
function freeShippingFrom(
  { shippingMethods, checkoutConfig }: ShopSettings,
  country: string | undefined,
): number | null {
  if (!checkoutConfig.domesticShippingEnabled || country === undefined) return null;
  const amounts = shippingMethods
    .filter(({ countries }) => countries.includes(country))
    .flatMap(({ freeOverCents }) => freeOverCents ?? []);
  return amounts.length === 0 ? null : Math.min(...amounts);
}
