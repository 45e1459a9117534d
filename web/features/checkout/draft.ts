/** What a shopper has filled in at checkout: kept for this tab, so that Back and reload lose nothing. Never card data. */
import { addressDefaults, type CheckoutMethod, checkoutMethods } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';

export interface Draft {
  methodName: CheckoutMethod | null;
  contact: { firstName: string; lastName: string; phoneNumber: string; email: string };
  address: {
    streetNumberAndNameDetails: string;
    addressDescription: string;
    city: string;
    province: string;
    postCode: string;
    countryISOCode: string;
  };
  shippingMethod: string;
  pickupStore: string;
  /** YYYY-MM-DD on the store's calendar. */
  pickupDay: string;
  /** '' or 0–23, and '' or a multiple of 5. */
  pickupHour: string;
  pickupMinute: string;
  tableStore: string;
  tableNumber: string;
}

export const emptyDraft: Draft = {
  methodName: null,
  contact: { firstName: '', lastName: '', phoneNumber: '', email: '' },
  address: {
    streetNumberAndNameDetails: '',
    addressDescription: '',
    city: '',
    province: addressDefaults.province,
    postCode: '',
    countryISOCode: addressDefaults.countryISOCode,
  },
  shippingMethod: '',
  pickupStore: '',
  pickupDay: '',
  pickupHour: '',
  pickupMinute: '',
  tableStore: '',
  tableNumber: '',
};

/** What the order already knows, for a shopper who comes back in another tab. */
export function draftOfOrder(order: Order, user: User | null): Draft {
  const { shippingAddress: known, orderContact, method, localStoreName, tableNumber, shippingMethod } = order;
  const person = user && { firstName: user.firstName, lastName: user.lastName, phoneNumber: user.mobilePhone, email: user.email };
  const address = known ?? user?.shippingAddresses[0];
  return {
    ...emptyDraft,
    methodName: method,
    contact: { ...emptyDraft.contact, ...person, ...orderContact },
    address: address ? pick(emptyDraft.address, { ...address }) : emptyDraft.address,
    shippingMethod: shippingMethod ?? '',
    pickupStore: method === 'pickup' ? (localStoreName ?? '') : '',
    tableStore: method === 'instore' ? (localStoreName ?? '') : '',
    tableNumber: tableNumber ?? '',
  };
}

const storageKey = 'checkout';

/** What was typed in this tab laid over `base`. What cannot be read counts as nothing typed. */
export function loadDraft(base: Draft, storage: Pick<Storage, 'getItem'> = sessionStorage): Draft {
  try {
    const saved: unknown = JSON.parse(storage.getItem(storageKey) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return base;
    const typed = saved as Record<string, unknown>;
    const { methodName } = typed;
    const text = pick(flat(base), typed);
    return {
      ...base,
      ...text,
      methodName: checkoutMethods.find((method) => method === methodName) ?? base.methodName,
      contact: pick(base.contact, typed.contact),
      address: pick(base.address, typed.address),
    };
  } catch {
    return base;
  }
}

export function saveDraft(draft: Draft, storage: Pick<Storage, 'setItem'> = sessionStorage): void {
  try {
    storage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    // A browser that refuses to store loses the convenience, not the order.
  }
}

/** After the order is placed. */
export function clearDraft(storage: Pick<Storage, 'removeItem'> = sessionStorage): void {
  try {
    storage.removeItem(storageKey);
  } catch {
    // As above.
  }
}

function flat({ methodName: _method, contact: _contact, address: _address, ...text }: Draft) {
  return text;
}

/** `base` with those of its fields that `typed` has as text. */
function pick<T extends Record<string, string>>(base: T, typed: unknown): T {
  const fields = typeof typed === 'object' && typed !== null ? (typed as Record<string, unknown>) : {};
  const known = Object.keys(base).filter((key) => typeof fields[key] === 'string');
  return { ...base, ...Object.fromEntries(known.map((key) => [key, fields[key]])) };
}
