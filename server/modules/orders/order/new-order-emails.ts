/** Decides who is emailed about a new order: the staff of the store that hands it over, or of the main store if it is shipped. */
import type { Locale } from '#contract/locales.ts';
import { isEmail } from '#contract/rules/email-and-phone.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import type { Store } from '#server/modules/stores/index.ts';

export interface NewOrderEmails {
  language: Locale;
  /** Recipients of orders by store id; empty lists if nobody is told. */
  byStore: ReadonlyMap<string, readonly string[]>;
  /** Recipients of orders that are shipped, and of those whose store no longer exists. */
  otherwise: readonly string[];
}

type Settings = Pick<ShopSettings, 'staffLanguage' | 'newOrderEmails' | 'contactEmail'>;

export function newOrderEmailsOf(settings: Settings, stores: readonly Store[]): NewOrderEmails {
  const { enabled } = settings.newOrderEmails;
  const main = stores.find(({ mainStore }) => mainStore) ?? null;
  return {
    language: settings.staffLanguage,
    byStore: new Map(enabled ? stores.map((store) => [store.id, recipientsOf(store, settings)]) : []),
    otherwise: enabled ? recipientsOf(main, settings) : [],
  };
}

/** The addresses set for a store, else its own, else the shop's. `store` is null in a shop without stores. */
function recipientsOf(
  store: Store | null,
  { newOrderEmails: { addresses }, contactEmail }: Settings,
): string[] {
  if (store && Object.hasOwn(addresses, store.id)) return [...new Set(addresses[store.id])];
  const fallback = [store?.email ?? '', contactEmail].find(isEmail);
  return fallback === undefined ? [] : [fallback.trim()];
}
