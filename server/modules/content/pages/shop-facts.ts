/** What the foot of every page promises, from the settings and the stores: free shipping, stores and returns. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { formatMoney } from '#contract/money.ts';
import type { AppContent, OpenStore } from '#contract/schemas/shop.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { translate } from '#server/platform/i18n.ts';

type Fact = AppContent['facts'][number];

export interface FactSources {
  settings: ShopSettings;
  /** The displayed stores. */
  stores: readonly OpenStore[];
  /** The country of the main store, as ISO 3166-1 code; undefined for a shop without stores. */
  country: string | undefined;
}

export function shopFacts({ settings, stores, country }: FactSources, locale: Locale): Fact[] {
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
      : { kind: 'stores', text: open === 0 ? count : t('fact.storesOpen', { stores: count, open }), link: '/contact' },
    returnsLine && { kind: 'returns', text: inLocale(returnsLine.text, locale), link: returnsLine.link },
  ];
  return facts.filter((fact) => fact !== null);
}

/** The least amount, in cents, from which shipping within the shop's own country is free; null if it never is. */
function freeShippingFrom({ shippingMethods, checkoutConfig }: ShopSettings, country: string | undefined): number | null {
  if (!checkoutConfig.domesticShippingEnabled || country === undefined) return null;
  const amounts = shippingMethods
    .filter(({ countries }) => countries.includes(country))
    .flatMap(({ freeOverCents }) => freeOverCents ?? []);
  return amounts.length === 0 ? null : Math.min(...amounts);
}
