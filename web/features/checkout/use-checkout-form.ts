import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { addressErrors } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import {
  chosenMethod,
  chosenStore,
  enabledMethods,
  partyChargeAt,
  partySizeOf,
  pickupStores,
  tableErrors,
  tableStores,
} from '#contract/rules/method.ts';
import type { CheckoutConfig, ShippingMethod } from '#contract/schemas/checkout.ts';
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';
import type { AddressForm, PickupLocation } from '#contract/schemas/shop.ts';
import { ApiError, errorText, type FieldTexts } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { askedParts } from '#web/lib/address.ts';
import { addressFormQuery } from '#web/lib/address-form.ts';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { reserve } from '#web/lib/reserve.ts';
import { type CartStock, lackingAt, notShippable, useCartStock, useUnableMethods } from './cart-stock.ts';
import { type Draft, loadDraft, saveDraft } from './draft.ts';
import {
  type BillEstimateQuery,
  billEstimateQuery,
  localDeliveryQuery,
  pickupSlotsQuery,
  shippingMethodsQuery,
} from './queries.ts';
import {
  type CheckoutFacts,
  checkoutErrors,
  chosenShippingMethod,
  chosenSlot,
  isPlaceKnown,
} from './validate.ts';

export type ChangeOrder = (work: () => Promise<Order>) => Promise<Order>;

/** `bill` is null while it is unknown. */
export interface CheckoutEstimate {
  method: CheckoutMethod | null;
  bill: Bill | null;
}

export interface CheckoutFormOptions {
  order: Order;
  config: CheckoutConfig;
  stores: PickupLocation[];
  /** The values of a form in which nothing has been typed. */
  base: Draft;
  /** Runs a change of the order after the cart's other changes, and shows the returned order. */
  change: ChangeOrder;
  onEstimate: (estimate: CheckoutEstimate) => void;
  /** Called with the order once it has everything that payment needs, and whether the customer chose to pay online. */
  onDone: (order: Order, online: boolean) => void;
  /** Called with an order that was placed here, to be paid at the counter. */
  onPlaced: (orderID: string) => void;
}

/** The checkout form: its draft, stored for this tab, and the options that the shop offers for it. */
export function useCheckoutForm(options: CheckoutFormOptions) {
  const { order, config, stores, base, change: changeOrder, onEstimate, onDone, onPlaced } = options;
  const t = useT();
  const api = useApi();
  const stock = useCartStock(order.lineItems);
  const unable = useUnableMethods(order.lineItems, stores, stock);
  const lone = loneStores(order, stores, config, stock);
  const methodsOf = ({ choices }: Draft) =>
    offeredMethods(enabledMethods(config), unable, order.lineItems, choices.atTable !== '');
  const offered = (values: Draft) => withChoices(values, methodsOf(values), { unable, order, lone });
  // Set by the button that was pressed, and read when the form is sent.
  const atCounter = useRef(false);
  const form = useForm<Draft, Order | { orderID: string }>({
    initial: () => loadDraft(base),
    saveDraft,
    precheck: (values): FieldTexts => {
      const method = chosenMethod(offered(values).methodName, config);
      const reason = method && unable[method];
      return reason ? { methodName: reason } : {};
    },
    validate: (values) => checkoutErrors(offered(values), facts),
    send: async (values) => {
      try {
        const stored = await changeOrder(() => sendCheckout(api, offered(values), facts));
        return atCounter.current ? await reserve(api, stored) : stored;
      } catch (error) {
        // The cart is empty if it was placed and the answer got lost.
        if (!atCounter.current || !isCartEmpty(error)) throw error;
        return reserve(api, order).catch(() => Promise.reject(error));
      }
    },
    onSent: (sent) => ('bill' in sent ? onDone(sent, seat !== null) : onPlaced(sent.orderID)),
    describeRejection: (error, fields) => {
      const shown = Object.keys(fields).some((path) => !path.startsWith('lineItems'));
      if (shown) return undefined;
      // Without an answer nobody knows whether they were saved.
      const isUnknown = error instanceof ApiError && error.status === 0;
      return isUnknown ? errorText(error, t) : t('checkout.failed', { reason: errorText(error, t) });
    },
  });
  const draft = offered(form.values);
  const method = chosenMethod(draft.methodName, config);
  const { facts, ...offers } = useOffers(options, draft, method, stock);
  const seat = useSeat(draft, method, stores);

  const bill = useBillEstimate(options, draft, method, offers.shippingMethods);
  useEffect(() => onEstimate({ method, bill }), [method, bill, onEstimate]);

  const change = <K extends 'contact' | 'address' | 'choices'>(part: K, changes: Partial<Draft[K]>) =>
    form.update(
      (old) => ({ ...old, [part]: { ...old[part], ...changes } }),
      fieldPaths(part, Object.keys(changes)),
    );
  const changeMethod = (methodName: CheckoutMethod) => {
    // The other errors belong to the other method; contact errors remain valid.
    const outdated = Object.keys(form.errors).filter((path) => !path.startsWith('contact.'));
    form.update((old) => ({ ...old, methodName }), outdated);
  };
  const contact = {
    value: draft.contact,
    errors: form.errors,
    onChange: (changes: Partial<Draft['contact']>) => change('contact', changes),
  };
  const payAtCounter = (yes: boolean) => {
    atCounter.current = yes;
  };
  const methods = methodsOf(form.values);
  return {
    ...form,
    ...offers,
    draft,
    method,
    methods,
    seat,
    stock,
    unable,
    contact,
    change,
    changeMethod,
    payAtCounter,
  };
}

export const isCartEmpty = (error: unknown) =>
  error instanceof ApiError && error.body.errorKey === 'rule.cartEmpty';

/** The draft with what the customer need not choose. */
function withChoices(
  values: Draft,
  methods: readonly CheckoutMethod[],
  {
    unable,
    order,
    lone,
  }: { unable: Partial<Record<CheckoutMethod, string>>; order: Order; lone: ReturnType<typeof loneStores> },
): Draft {
  const wanted = methods.find((method) => method === values.methodName) ?? null;
  const preferred = preferredMethod(methods, unable, order.lineItems);
  const { pickupStore, tableStore } = values.choices;
  const choices = {
    ...values.choices,
    pickupStore: pickupStore || lone.pickup,
    tableStore: tableStore || lone.table,
  };
  return { ...values, choices, methodName: wanted && !unable[wanted] ? wanted : (preferred ?? wanted) };
}

/** The only store for pickup, and for a table, that has the whole cart; '' if there are several or none. */
function loneStores(
  { lineItems }: Order,
  stores: PickupLocation[],
  config: CheckoutConfig,
  stock: CartStock,
) {
  const lone = (offered: PickupLocation[]) => {
    const able = offered.filter(
      ({ localStoreName }) => lackingAt(localStoreName, lineItems, stock).length === 0,
    );
    return able.length === 1 ? (able[0]?.localStoreName ?? '') : '';
  };
  return {
    pickup: config.displayPickupLocations ? lone(pickupStores(stores)) : '',
    table: lone(tableStores(stores)),
  };
}

/** The table of a table's link and its store's name; null without one, or if the store has no such table. */
function useSeat({ choices }: Draft, method: CheckoutMethod | null, stores: PickupLocation[]) {
  const locale = useLocale();
  const { atTable, tableNumber, tableStore } = choices;
  if (atTable === '' || method !== 'instore' || !isClean(tableErrors(tableNumber, tableStore, stores)))
    return null;
  const store = stores.find(({ localStoreName }) => localStoreName === tableStore);
  return store ? { table: tableNumber, store: inLocale(store.nameContent, locale) } : null;
}

function useOffers(
  { order, config, stores }: CheckoutFormOptions,
  { choices, address }: Draft,
  method: CheckoutMethod | null,
  stock: CartStock,
) {
  const api = useApi();
  const store = chosenStore(choices.pickupStore, pickupStores(stores), config.displayPickupLocations);
  const addressForm = useQuery(addressFormQuery(api, address.countryISOCode)).data;
  const isPlaced = isPlaceKnown(address, addressForm);
  const shipping = useQuery(
    shippingMethodsQuery(api, order.version, address.countryISOCode, address.province, isPlaced),
  );
  const slots = useQuery(
    pickupSlotsQuery(api, method === 'pickup' && store ? store.localStoreName : '', choices.pickupDay),
  );
  const delivery = useLocalDelivery(
    order,
    address,
    addressForm,
    config.localDelivery === true && method === 'shipping',
  );
  // What the warehouse lacks can only be delivered by a store.
  const parcels =
    delivery.state !== 'off' && notShippable(order.lineItems, stock).length > 0 ? [] : shipping.data;
  const shippingMethods = parcels && [...parcels, ...delivery.methods].toSorted((a, b) => a.price - b.price);
  // Methods of another address may be shown while the new ones load, but are not used for validation.
  const isKnown = !shipping.isPlaceholderData && delivery.state !== 'checking';
  const known = isKnown ? shippingMethods : undefined;
  const facts: CheckoutFacts = { config, stores, addressForm, shippingMethods: known, slots: slots.data };
  return { shippingMethods, delivery, isPlaced, facts };
}

/** The delivery by a store itself to the address of the form. */
export interface OfferedDelivery {
  /** off: no store delivers; incomplete: the address is; checking: the answer is awaited. */
  state: 'off' | 'incomplete' | 'checking' | 'known';
  methods: ShippingMethod[];
  /** Why there is none; '' if there is one, or it is unknown. */
  message: string;
}

/** How long typing rests before the shop is asked about an address, ms. */
const restMs = 600;

function useLocalDelivery(
  order: Order,
  address: Draft['address'],
  form: AddressForm | undefined,
  isOn: boolean,
): OfferedDelivery {
  const api = useApi();
  const isComplete = isOn && form !== undefined && isClean(addressErrors(address, 'address', form));
  const typed = JSON.stringify(address);
  const [rested, setRested] = useState('');
  useEffect(() => {
    if (!isComplete) return;
    const timer = setTimeout(() => setRested(typed), restMs);
    return () => clearTimeout(timer);
  }, [isComplete, typed]);
  const query = useQuery(
    localDeliveryQuery(api, order.version, isComplete && rested === typed ? address : null),
  );
  if (!isComplete) return { state: isOn ? 'incomplete' : 'off', methods: [], message: '' };
  if (query.isError) return { state: 'known', methods: [], message: '' };
  const { data } = query;
  if (!data) return { state: 'checking', methods: [], message: '' };
  return { state: 'known', methods: data.method ? [data.method] : [], message: data.message };
}

/** The bill of the form as it stands; null while it is unknown. */
function useBillEstimate(
  { order, config, stores }: CheckoutFormOptions,
  { choices, address }: Draft,
  method: CheckoutMethod | null,
  methods: ShippingMethod[] | undefined,
): Bill | null {
  const place = method && method !== 'shipping' ? storeForTax(method, choices, config, stores) : undefined;
  // A parcel that nobody chose is the cheapest, which the server knows.
  const chosen = chosenShippingMethod(choices.shippingMethod, methods);
  const billed = chosen?.minutes === undefined ? choices.shippingMethod : chosen.id;
  const query: BillEstimateQuery | null = method && {
    methodName: method,
    ...(method === 'shipping' ? { country: address.countryISOCode, province: address.province } : {}),
    ...(method === 'shipping' && billed ? { shippingMethod: billed } : {}),
    ...(method === 'instore' && partyChargeAt(place?.localStoreName, config) && partySizeOf(choices.partySize)
      ? { partySize: choices.partySize.trim() }
      : {}),
    ...(place ? { localStoreName: place.localStoreName } : {}),
  };
  return useQuery(billEstimateQuery(useApi(), order.version, query)).data ?? null;
}

/** The chosen store; before one is chosen, any if all are in one province, where the tax is the same. */
function storeForTax(
  method: 'pickup' | 'instore',
  choices: Draft['choices'],
  config: CheckoutConfig,
  stores: PickupLocation[],
): PickupLocation | undefined {
  const offered = method === 'pickup' ? pickupStores(stores) : tableStores(stores);
  const [name, listed] =
    method === 'pickup' ? [choices.pickupStore, config.displayPickupLocations] : [choices.tableStore, true];
  const provinces = new Set(offered.map(({ address }) => address.province));
  return chosenStore(name, offered, listed) ?? (provinces.size === 1 ? offered[0] : undefined);
}

const choiceFields: Record<string, string> = {
  pickupStore: 'localStoreName',
  tableStore: 'localStoreName',
  pickupDay: 'pickupDate',
  pickupHour: 'pickupDate',
  pickupMinute: 'pickupDate',
};

function fieldPaths(part: string, names: string[]): string[] {
  if (part === 'choices') return names.map((name) => choiceFields[name] ?? name);
  // Another address may have other shipping methods.
  return [...names.map((name) => `${part}.${name}`), ...(part === 'address' ? ['shippingMethod'] : [])];
}

/** The calls that store a validated checkout, one per method (SPEC §7). */
type Call = (api: ApiClient, draft: Draft, facts: CheckoutFacts) => Promise<Order>;

const calls: Record<CheckoutMethod, Call> = {
  shipping: (api, { address, contact, choices }, { addressForm, shippingMethods }) => {
    // While methods load, what was chosen before is sent, and the server says whether it still is one.
    const shippingMethod =
      chosenShippingMethod(choices.shippingMethod, shippingMethods)?.id ?? choices.shippingMethod;
    const body = { address: askedParts(address, addressForm), contact, shippingContact: contact };
    return api.call('orderDeliverInfo', {
      query: choices.saveAddress ? { saveToMyProfile: true } : {},
      body: shippingMethod ? { ...body, shippingMethod } : body,
    });
  },
  pickup: async (api, { contact, choices }, { config, stores, slots }) => {
    const store = chosenStore(choices.pickupStore, pickupStores(stores), config.displayPickupLocations);
    const query = { methodName: 'pickup', localStoreName: store?.localStoreName } as const;
    const order = await api.call('orderContactInfo', { query, body: { contact } });
    const slot = config.displayPickupTime ? chosenSlot(choices, slots) : undefined;
    return slot ? api.call('orderPickupDate', { body: { pickupDate: slot.at } }) : order;
  },
  instore: (api, { contact, choices }, { config, stores }) => {
    const store = chosenStore(choices.tableStore, tableStores(stores), true);
    const query = {
      methodName: 'instore',
      localStoreName: store?.localStoreName,
      tableNumber: choices.tableNumber.trim(),
      ...(partyChargeAt(store?.localStoreName, config) ? { partySize: choices.partySize.trim() } : {}),
      ...(choices.atTable && choices.tableCard ? { tableCard: choices.tableCard } : {}),
    } as const;
    return api.call('orderContactInfo', { query, body: { contact } });
  },
};

/** Stores a valid draft. Returns the order as the server stored it. */
function sendCheckout(api: ApiClient, draft: Draft, facts: CheckoutFacts): Promise<Order> {
  const method = chosenMethod(draft.methodName, facts.config);
  if (!method) throw new Error('A checkout without a method cannot be sent');
  return calls[method](api, draft, facts);
}

/**
 * The methods to offer: dine-in is for what is sold in the store only. The link of a table, or a cart that nothing else can serve,
 * offers it for anything.
 */
export function offeredMethods(
  enabled: readonly CheckoutMethod[],
  unable: Partial<Record<CheckoutMethod, unknown>>,
  lines: readonly Pick<LineItem, 'inStoreOnly'>[],
  atTable: boolean,
): CheckoutMethod[] {
  const served = atTable || lines.some(({ inStoreOnly }) => inStoreOnly);
  const others = enabled.filter((method) => method !== 'instore');
  return served || !others.some((method) => unable[method] === undefined) ? [...enabled] : others;
}

/**
 * The only method that can serve the cart; of several, dine-in for a cart with something that is sold in store only, else
 * shipping, else the first. Null if none can.
 */
export function preferredMethod(
  methods: readonly CheckoutMethod[],
  unable: Partial<Record<CheckoutMethod, unknown>>,
  lines: readonly Pick<LineItem, 'inStoreOnly'>[],
): CheckoutMethod | null {
  const possible = methods.filter((method) => unable[method] === undefined);
  const wanted = lines.some(({ inStoreOnly }) => inStoreOnly) ? 'instore' : 'shipping';
  return possible.find((method) => method === wanted) ?? possible[0] ?? null;
}
