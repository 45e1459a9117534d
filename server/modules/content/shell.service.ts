/** What the frame around every page shows. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import type { CatalogueService } from '../catalogue/catalogue.service.ts';
import { childrenOf } from '../catalogue/taxonomy.ts';
import type { SettingsService } from '../settings/settings.service.ts';

export interface ShellService {
  content(locale: Locale): Promise<AppContent>;
}

export function createShellService({
  catalogue,
  settings,
}: {
  catalogue: CatalogueService;
  settings: SettingsService;
}): ShellService {
  return {
    async content(locale) {
      const [shop, taxonomy] = await Promise.all([settings.all(), catalogue.taxonomy()]);
      return {
        shopName: inLocale(shop.shopName, locale),
        tagline: inLocale(shop.tagline, locale),
        contactEmail: shop.contactEmail,
        currency: shop.currency,
        isDemonstration: shop.isDemonstration,
        footer: {
          notice: inLocale(shop.footer.notice, locale),
          shortNotice: inLocale(shop.footer.shortNotice, locale),
          copyright: inLocale(shop.footer.copyright, locale),
          links: shop.footer.links.map(({ label, link }) => ({ label: inLocale(label, locale), link })),
        },
        socialLinks: shop.socialLinks.map(({ network, label, url }) => ({ network, label: inLocale(label, locale), url })),
        menu: childrenOf(taxonomy, null).map(({ id, name }) => ({
          name: id,
          label: inLocale(name, locale),
          children: childrenOf(taxonomy, id).map((child) => ({ name: child.id, label: inLocale(child.name, locale) })),
        })),
      };
    },
  };
}
