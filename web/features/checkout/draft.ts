/** What a shopper has filled in at checkout: kept for this tab, so that Back and reload lose nothing. */
import { type CheckoutMethod, checkoutMethods } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import { clearTab, readTab, withKept, writeTab } from '#web/lib/tab-storage.ts';

export interface ContactValue extends Record<string, string> {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  email: string;
}

/** What is no part of contact or address; '' where nothing is chosen. */
interface Choices extends Record<string, string> {
  shippingMethod: string;
  /** 'yes': the address is to be kept with the customer's own. */
  saveAddress: string;
  pickupStore: string;
  /** YYYY-MM-DD on the store's calendar. */
  pickupDay: string;
  /** 0–23. */
  pickupHour: string;
  /** A multiple of 5. */
  pickupMinute: string;
  tableStore: string;
  tableNumber: string;
}

export interface Draft {
  methodName: CheckoutMethod | null;
  contact: ContactValue;
  address: AddressValue;
  choices: Choices;
}

export const emptyDraft: Draft = {
  methodName: null,
  contact: { firstName: '', lastName: '', phoneNumber: '', email: '' },
  address: emptyAddress,
  choices: {
    shippingMethod: '',
    saveAddress: '',
    pickupStore: '',
    pickupDay: '',
    pickupHour: '',
    pickupMinute: '',
    tableStore: '',
    tableNumber: '',
  },
};

/** What the order, or the customer's profile, already knows. */
export function draftOfOrder(order: Order, user: User | null): Draft {
  const { shippingAddress, orderContact, method, localStoreName, tableNumber, shippingMethod } = order;
  const person = user && { firstName: user.firstName, lastName: user.lastName, phoneNumber: user.mobilePhone, email: user.email };
  return {
    methodName: method,
    contact: withKept(withKept(emptyDraft.contact, person), orderContact),
    address: withKept(emptyAddress, shippingAddress ?? user?.shippingAddresses[0]),
    choices: {
      ...emptyDraft.choices,
      shippingMethod: shippingMethod ?? '',
      pickupStore: method === 'pickup' ? (localStoreName ?? '') : '',
      tableStore: method === 'instore' ? (localStoreName ?? '') : '',
      tableNumber: tableNumber ?? '',
    },
  };
}

const key = 'checkout';

/** What was typed in this tab laid over `base`. */
export function loadDraft(base: Draft): Draft {
  const kept = (readTab(key) ?? {}) as Partial<Record<keyof Draft, unknown>>;
  return {
    methodName: checkoutMethods.find((method) => method === kept.methodName) ?? base.methodName,
    contact: withKept(base.contact, filled(kept.contact)),
    address: begun(kept.address) ? withKept(base.address, kept.address) : base.address,
    choices: withKept(base.choices, kept.choices),
  };
}

/** Without what was left empty: somebody who has signed in since need not type it. */
function filled(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** Whether anything of an address was typed; country and province are there from the start. */
function begun(kept: unknown): boolean {
  const { streetNumberAndNameDetails, city, postCode } = (kept ?? {}) as Partial<AddressValue>;
  return Boolean(streetNumberAndNameDetails || city || postCode);
}

export function saveDraft(draft: Draft): void {
  writeTab(key, draft);
}

/** After the order is placed. */
export function clearDraft(): void {
  clearTab(key);
}

/** Follows the link of a table's sign: at that table of that store, whatever was chosen before. */
export function saveTable(table: string, store: string | undefined): void {
  const draft = loadDraft(emptyDraft);
  const choices = { ...draft.choices, tableNumber: table, ...(store ? { tableStore: store } : {}) };
  saveDraft({ ...draft, methodName: 'instore', choices });
}
