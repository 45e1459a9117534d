/** Decides who is emailed about a new order: the staff of the store that hands it over, or of the main store if it is shipped. */
import type { Locale } from '#contract/locales.ts';
import { isEmail } from '#contract/rules/contact.ts';
import { sellsAt } from '#contract/rules/method.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import type { Store } from '#server/modules/stores/index.ts';
import type { OrderHead } from '../order/order.ts';

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
function recipientsOf(store: Store | null, { newOrderEmails: { addresses }, contactEmail }: Settings): string[] {
  if (store && Object.hasOwn(addresses, store.id)) return [...new Set(addresses[store.id])];
  const fallback = [store?.email ?? '', contactEmail].find(isEmail);
  return fallback === undefined ? [] : [fallback.trim()];
}

/** The addresses that are told of an order, each once; empty if nobody is. */
export function newOrderRecipients(
  { method, storeId }: Pick<OrderHead, 'method' | 'storeId'>,
  { byStore, otherwise }: NewOrderEmails,
): readonly string[] {
  if (method === null || storeId === null) return otherwise;
  return byStore.get(storeId) ?? otherwise;
}

export interface NewOrderEmailFindings {
  /** Who is told of which orders, such as `orders at main-street: kitchen@shop.example`. */
  told: string[];
  /** Orders that nobody is told of, though the merchant did not switch their emails off. */
  untold: string[];
  /** Emails that the merchant has switched off. */
  off: string[];
}

/** Checks, for `doctor`, that somebody is told of every order that the shop can take. */
export function newOrderEmailFindings(settings: ShopSettings, stores: readonly Store[]): NewOrderEmailFindings {
  const { newOrderEmails, checkoutConfig } = settings;
  const findings: NewOrderEmailFindings = { told: [], untold: [], off: [] };
  if (!newOrderEmails.enabled) {
    findings.off.push('nobody is told of new orders, because the setting newOrderEmails.enabled is off');
    return findings;
  }
  const { byStore, otherwise } = newOrderEmailsOf(settings, stores);
  const main = stores.find(({ mainStore }) => mainStore)?.id;
  const check = (orders: string, recipients: readonly string[], store: string | undefined) => {
    if (recipients.length > 0) findings.told.push(`${orders}: ${recipients.join(', ')}`);
    else if (store !== undefined && Object.hasOwn(newOrderEmails.addresses, store))
      findings.off.push(`nobody is told of ${orders}, because newOrderEmails.addresses has an empty list for ${store}`);
    else findings.untold.push(`nobody is told of ${orders}. Set newOrderEmails.addresses, the store's email or contactEmail`);
  };
  for (const store of stores.filter((each) => sellsAt({ ...each, localStoreName: each.id }, checkoutConfig)))
    check(`orders at ${store.id}`, byStore.get(store.id) ?? [], store.id);
  if (checkoutConfig.domesticShippingEnabled) check('orders to ship', otherwise, main);
  const known = new Set(stores.map(({ id }) => id));
  for (const id of Object.keys(newOrderEmails.addresses))
    if (!known.has(id)) findings.untold.push(`newOrderEmails.addresses names ${id}, which is not a store`);
  return findings;
}
