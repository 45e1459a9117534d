import type { FieldErrors } from '../errors.ts';
import { type CheckoutMethod, checkoutMethods, limits } from '../limits.ts';
import type { MessageKey } from '../locales.ts';
import type { CheckoutConfig, SlotReason } from '../schemas/checkout.ts';
import { isBlank } from './fields.ts';

type Switches = Pick<CheckoutConfig, 'domesticShippingEnabled' | 'enablePickup' | 'inStoreEnabled'>;

const switchOf = {
  shipping: 'domesticShippingEnabled',
  pickup: 'enablePickup',
  instore: 'inStoreEnabled',
} as const satisfies Record<CheckoutMethod, keyof Switches>;

const notAvailable: Record<CheckoutMethod, MessageKey> = {
  shipping: 'rule.shippingNotAvailable',
  pickup: 'rule.pickupNotAvailable',
  instore: 'rule.inStoreNotAvailable',
};

export function enabledMethods(config: Switches): CheckoutMethod[] {
  return checkoutMethods.filter((method) => config[switchOf[method]]);
}

/** The only one there is without a choice (SPEC §4); null if the customer still has to choose. */
export function chosenMethod(
  method: CheckoutMethod | null | undefined,
  config: Switches,
): CheckoutMethod | null {
  const enabled = enabledMethods(config);
  return method ?? (enabled.length === 1 ? (enabled[0] ?? null) : null);
}

export function methodErrors(method: CheckoutMethod | null | undefined, config: Switches): FieldErrors {
  if (enabledMethods(config).length === 0) return { methodName: 'rule.methodNotSetUp' };
  const chosen = chosenMethod(method, config);
  if (!chosen) return { methodName: 'rule.methodMissing' };
  return config[switchOf[chosen]] ? {} : { methodName: notAvailable[chosen] };
}

export interface StoreFacts {
  localStoreName: string;
  display: boolean;
  allowPickup: boolean;
  mainStore: boolean;
  tables: number;
}

export function pickupStores<S extends StoreFacts>(stores: readonly S[]): S[] {
  return stores.filter((store) => store.display && store.allowPickup);
}

export function tableStores<S extends StoreFacts>(stores: readonly S[]): S[] {
  return stores.filter((store) => store.display && store.tables > 0);
}

/** For pickup or dine-in. */
export function sellsAt(store: StoreFacts, config: Pick<Switches, 'enablePickup'>): boolean {
  return (config.enablePickup && pickupStores([store]).length > 0) || tableStores([store]).length > 0;
}

/** Whether an order can reach anybody: the shop ships, or one of its stores hands orders over. */
export function takesOrders(
  stores: readonly StoreFacts[],
  config: Pick<Switches, 'enablePickup' | 'domesticShippingEnabled'>,
): boolean {
  return config.domesticShippingEnabled || stores.some((store) => sellsAt(store, config));
}

/** Without a choice: the main or first store if no list is shown, the only store if there is one, else null. */
export function chosenStore<S extends StoreFacts>(
  name: string | null | undefined,
  offered: readonly S[],
  listShown: boolean,
): S | null {
  if (!isBlank(name)) return offered.find((store) => store.localStoreName === name) ?? null;
  if (!listShown) return offered.find((store) => store.mainStore) ?? offered[0] ?? null;
  return offered.length === 1 ? (offered[0] ?? null) : null;
}

/** `name` is the chosen `localStoreName`. */
export function pickupErrors(
  name: string | null | undefined,
  stores: readonly StoreFacts[],
  config: Pick<CheckoutConfig, 'displayPickupLocations' | 'enablePickup'>,
): FieldErrors {
  if (!config.enablePickup) return { methodName: 'rule.pickupNotAvailable' };
  const offered = pickupStores(stores);
  if (offered.length === 0) return { localStoreName: 'rule.pickupNoStores' };
  if (chosenStore(name, offered, config.displayPickupLocations)) return {};
  return {
    localStoreName: isBlank(name) ? 'rule.pickupStoreMissing' : 'rule.pickupNotAvailable',
  };
}

/** Tables are numbered from 1. */
export function tableErrors(
  tableNumber: string | null | undefined,
  name: string | null | undefined,
  stores: readonly StoreFacts[],
): FieldErrors {
  const errors: FieldErrors = {};
  const offered = tableStores(stores);
  if (offered.length === 0) return { methodName: 'rule.inStoreNotAvailable' };
  const store = chosenStore(name, offered, true);
  if (!store) errors.localStoreName = isBlank(name) ? 'rule.inStoreStoreMissing' : 'rule.inStoreNotAvailable';
  if (isBlank(tableNumber)) errors.tableNumber = 'rule.tableMissing';
  else if (store && !isTableOf(tableNumber ?? '', store.tables)) {
    errors.tableNumber = {
      key: 'rule.tableUnknown',
      values: { tables: store.tables },
    };
  }
  return errors;
}

export function partySizeOf(text: string | number | null | undefined): number | null {
  const typed = String(text ?? '').trim();
  const size = /^\d{1,2}$/.test(typed) ? Number(typed) : 0;
  return size >= 1 && size <= limits.partySizeMax ? size : null;
}

export function partyChargeAt(
  storeId: string | null | undefined,
  { partyCharge }: Pick<CheckoutConfig, 'partyCharge'>,
) {
  return partyCharge && chargesAt(partyCharge, storeId) ? partyCharge : undefined;
}

export function chargesAt(
  { stores }: { stores: readonly string[] },
  storeId: string | null | undefined,
): boolean {
  return stores.length === 0 || stores.includes(storeId ?? '');
}

/** Required if a service charge depends on it. */
export function partySizeErrors(
  partySize: string | number | null | undefined,
  storeId: string | null | undefined,
  config: Pick<CheckoutConfig, 'partyCharge'>,
): FieldErrors {
  if (!partyChargeAt(storeId, config) || partySizeOf(partySize) !== null) return {};
  return { partySize: { key: 'rule.partySize', values: { most: limits.partySizeMax } } };
}

function isTableOf(text: string, tables: number): boolean {
  const typed = text.trim();
  return /^\d{1,4}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= tables;
}

/** Days ahead. */
export const pickupHorizonDays = 60;

const messages: Record<SlotReason, MessageKey> = {
  closed: 'rule.slotClosed',
  past: 'rule.slotPast',
  tooSoon: 'rule.slotTooSoon',
  full: 'rule.slotFull',
  tooFar: 'rule.slotTooFar',
  notServed: 'rule.slotNotServed',
  tooMany: 'rule.slotTooMany',
};

/** `slotTooFar` includes the number of days. */
function slotMessage(reason: SlotReason): {
  key: MessageKey;
  values: Record<string, string | number>;
} {
  return {
    key: messages[reason],
    values: reason === 'tooFar' ? { days: pickupHorizonDays } : {},
  };
}

/** `chosen`: the time that was asked for, '15:45'; `next`: the next free time of that day. Left out, the message names none. */
export function slotErrors(
  reason: SlotReason | null,
  { chosen, next }: { chosen?: string; next?: string | undefined } = {},
): FieldErrors {
  if (reason === 'full' && next !== undefined)
    return { pickupDate: { key: 'rule.slotFullNext', values: { time: next } } };
  if (reason === 'past' && chosen !== undefined)
    return { pickupDate: { key: 'rule.slotPastAt', values: { time: chosen } } };
  return reason ? { pickupDate: slotMessage(reason) } : {};
}
