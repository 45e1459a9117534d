/** The customer's entries at checkout, stored for this tab, so that Back and reload lose nothing. */
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

/** Values outside contact and address; '' if nothing is chosen. */
interface Choices extends Record<string, string> {
  shippingMethod: string;
  /** 'yes': save the address in the customer's account. */
  saveAddress: string;
  pickupStore: string;
  /** YYYY-MM-DD in the store's time zone. */
  pickupDay: string;
  /** 0–23. */
  pickupHour: string;
  /** A multiple of 5. */
  pickupMinute: string;
  tableStore: string;
  tableNumber: string;
  partySize: string;
  /** 'yes': store and table come from the table's link, and the form only shows them. */
  atTable: string;
  /** The token of that link, which goes with its table only. */
  tableCard: string;
  /** When the link was followed, epoch ms. */
  tableSince: string;
}

/** Who followed the link of a table sits there for so long: a tab of a phone may be open for weeks. */
const visitMs = 4 * 60 * 60_000;

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
    partySize: '',
    atTable: '',
    tableCard: '',
    tableSince: '',
  },
};

/** The values that the order or the customer's profile already has. */
export function draftOfOrder(order: Order, user: User | null): Draft {
  const { shippingAddress, orderContact, method, localStoreName, tableNumber, shippingMethod } = order;
  const person = user && {
    firstName: user.firstName,
    lastName: user.lastName,
    phoneNumber: user.mobilePhone,
    email: user.email,
  };
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
      partySize: String(order.partySize ?? ''),
    },
  };
}

const key = 'checkout';

type KeptDraft = Partial<Record<keyof Draft, unknown>>;

/** Without the table of a visit that is over. */
function ofThisVisit(kept: KeptDraft): KeptDraft {
  const { atTable, tableSince, tableNumber, tableStore, tableCard, ...choices } = (kept.choices ??
    {}) as Partial<Choices>;
  if (!atTable || Date.now() - Number(tableSince) < visitMs) return kept;
  return { ...kept, methodName: null, choices };
}

/** `base` with the values typed in this tab applied on top. */
export function loadDraft(base: Draft): Draft {
  const kept = ofThisVisit((readTab(key) ?? {}) as KeptDraft);
  return {
    methodName: checkoutMethods.find((method) => method === kept.methodName) ?? base.methodName,
    contact: withKept(base.contact, filled(kept.contact)),
    address: begun(kept.address) ? withKept(base.address, kept.address) : base.address,
    choices: withKept(base.choices, kept.choices),
  };
}

/** Drops empty values, so that the profile fills them after the customer signs in. */
function filled(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** Whether any part of an address was typed; country and province are preset. */
function begun(kept: unknown): boolean {
  const { streetNumberAndNameDetails, city, postCode } = (kept ?? {}) as Partial<AddressValue>;
  return Boolean(streetNumberAndNameDetails || city || postCode);
}

export function saveDraft(draft: Draft): void {
  writeTab(key, draft);
}

export function clearDraft(): void {
  clearTab(key);
}

/** Applies the link of a table's sign: that table of that store. How the order is received follows from what is in the cart, or `orderAtTable`. */
export function saveTable(table: string, store: string | undefined, card = ''): void {
  const draft = loadDraft(emptyDraft);
  const choices = {
    ...draft.choices,
    tableNumber: table,
    tableCard: card,
    tableSince: String(Date.now()),
    ...(store ? { tableStore: store, atTable: 'yes' } : {}),
  };
  saveDraft({ ...draft, methodName: null, choices });
}

/** What is in the cart is brought to the table, whatever was chosen before. */
export function orderAtTable(): void {
  saveDraft({ ...loadDraft(emptyDraft), methodName: 'instore' });
}
