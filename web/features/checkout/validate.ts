import type { FieldErrors } from '#contract/errors.ts';
import { addressErrors } from '#contract/rules/address.ts';
import { contactErrors, contactNeeds } from '#contract/rules/contact.ts';
import {
  chosenMethod,
  chosenStore,
  methodErrors,
  partySizeErrors,
  pickupErrors,
  pickupStores,
  slotErrors,
  tableErrors,
} from '#contract/rules/method.ts';
import type { CheckoutConfig, PickupSlots, ShippingMethod } from '#contract/schemas/checkout.ts';
import type { AddressForm, PickupLocation } from '#contract/schemas/shop.ts';
import type { Draft } from './draft.ts';

export interface CheckoutFacts {
  config: CheckoutConfig;
  stores: PickupLocation[];
  /** Of the address's country; undefined while unknown. */
  addressForm: AddressForm | undefined;
  /** The methods offered for the address; undefined while unknown. */
  shippingMethods: ShippingMethod[] | undefined;
  /** The times of the chosen store and day; undefined while unknown. */
  slots: PickupSlots | undefined;
}

export function checkoutErrors(draft: Draft, facts: CheckoutFacts): FieldErrors {
  const { config, stores } = facts;
  const method = chosenMethod(draft.methodName, config);
  const errors = {
    ...methodErrors(draft.methodName, config),
    ...contactErrors(draft.contact, contactNeeds(config, method)),
  };
  if (method === 'shipping') return { ...errors, ...shippingErrors(draft, facts) };
  if (method === 'pickup')
    return {
      ...errors,
      ...pickupErrors(draft.choices.pickupStore, stores, config),
      ...timeErrors(draft, facts),
    };
  if (method === 'instore') {
    const { tableNumber, tableStore, partySize } = draft.choices;
    return {
      ...errors,
      ...tableErrors(tableNumber, tableStore, stores),
      ...partySizeErrors(partySize, tableStore, config),
    };
  }
  return errors;
}

function shippingErrors(draft: Draft, { addressForm, shippingMethods }: CheckoutFacts): FieldErrors {
  const errors = addressErrors(draft.address, 'address', addressForm);
  const placed = !errors['address.countryISOCode'] && !errors['address.province'];
  if (placed && shippingMethods?.length === 0) errors.shippingMethod = 'rule.shippingMethodNone';
  return errors;
}

function timeErrors(draft: Draft, { config, stores, slots }: CheckoutFacts): FieldErrors {
  if (!config.displayPickupTime) return {};
  const { choices } = draft;
  const store = chosenStore(choices.pickupStore, pickupStores(stores), config.displayPickupLocations);
  if (!store) return {};
  if (choices.pickupDay === '' || choices.pickupHour === '' || choices.pickupMinute === '')
    return { pickupDate: 'checkout.time.missing' };
  // Still loading, or failed to load: continuing would lose the choice.
  if (!slots) return { pickupDate: 'checkout.time.unknown' };
  const slot = chosenSlot(choices, slots);
  return slot ? slotErrors(slot.reason) : slotErrors('closed');
}

export function chosenSlot(
  { pickupHour, pickupMinute }: Pick<Draft['choices'], 'pickupHour' | 'pickupMinute'>,
  slots: PickupSlots | undefined,
) {
  if (pickupHour === '' || pickupMinute === '') return undefined;
  return slots?.slots.find(
    ({ hour, minute }) => hour === Number(pickupHour) && minute === Number(pickupMinute),
  );
}

/** The chosen shipping method, or the cheapest if none is chosen. */
export function chosenShippingMethod(chosen: string, methods: ShippingMethod[] | undefined) {
  return methods?.find(({ id }) => id === chosen) ?? methods?.[0];
}

/** Whether the country is known, and the province where one is required: then shipping has a price. */
export function isPlaceKnown(
  { countryISOCode, province }: Draft['address'],
  form: AddressForm | undefined,
): boolean {
  if (countryISOCode === '') return false;
  return (
    province !== '' ||
    (form !== undefined && !form.fields.some(({ name, required }) => name === 'province' && required))
  );
}
