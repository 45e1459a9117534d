import { describe, expect, it } from 'vitest';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { CheckoutConfig, PickupSlots } from '#contract/schemas/checkout.ts';
import type { AddressForm, PickupLocation } from '#contract/schemas/shop.ts';
import { lackingAt, noShipReason, notShippable } from './cart-stock.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { type CheckoutFacts, checkoutErrors, chosenShippingMethod, isPlaceKnown } from './validate.ts';

const config: CheckoutConfig = {
  enabledGuestOrders: true,
  enablePickup: true,
  domesticShippingEnabled: true,
  inStoreEnabled: true,
  requireMobile: true,
  requireEmail: true,
  emailOptionalAtTables: true,
  displayPickupLocations: true,
  displayPickupTime: true,
};
const queenWest = {
  localStoreName: 'toronto-queen-west',
  display: true,
  allowPickup: true,
  mainStore: true,
  tables: 14,
} as PickupLocation;
const unionville = { ...queenWest, localStoreName: 'markham-unionville', mainStore: false, tables: 18 };
const slots = {
  slots: [
    { at: 1, hour: 9, minute: 55, available: false, reason: 'closed' },
    { at: 2, hour: 10, minute: 0, available: false, reason: 'full' },
    { at: 3, hour: 10, minute: 5, available: true, reason: null },
  ],
} as PickupSlots;
const required = (['streetNumberAndNameDetails', 'city', 'province', 'postCode'] as const).map(
  (name, row) => ({
    name,
    row,
    label: name,
    required: true,
  }),
);
const addressForm: AddressForm = { countryISOCode: 'CA', fields: required, postCode: null, provinces: [] };
const facts: CheckoutFacts = {
  config,
  stores: [queenWest, unionville],
  addressForm,
  shippingMethods: undefined,
  slots,
};
const contact = { firstName: 'Jo', lastName: 'Lin', phoneNumber: '416 555 0100', email: 'jo@shop.example' };
type Chosen = Partial<Record<keyof typeof emptyDraft.choices, string>>;
const fill = (
  methodName: Draft['methodName'],
  choices: Chosen = {},
  address = emptyDraft.address,
): Draft => ({
  methodName,
  contact,
  address,
  choices: Object.assign({}, emptyDraft.choices, choices),
});

describe('validation of shipping', () => {
  it('a place is known without a province only if its country requires none', () => {
    const at = (province: string) => ({ ...emptyDraft.address, province });
    const without = { ...addressForm, fields: required.filter(({ name }) => name !== 'province') };
    expect([isPlaceKnown(at('Ontario'), addressForm), isPlaceKnown(at(''), addressForm)]).toEqual([
      true,
      false,
    ]);
    expect([isPlaceKnown(at(''), without), isPlaceKnown(at(''), undefined)]).toEqual([true, false]);
    expect(isPlaceKnown({ ...at('Ontario'), countryISOCode: '' }, addressForm)).toBe(false);
  });

  it('validation of shipping names every missing field', () => {
    expect(checkoutErrors({ ...emptyDraft, methodName: 'shipping' }, facts)).toEqual({
      'contact.firstName': 'rule.firstNameMissing',
      'contact.lastName': 'rule.lastNameMissing',
      'contact.phoneNumber': 'rule.phoneMissing',
      'contact.email': 'rule.emailMissing',
      'address.streetNumberAndNameDetails': 'rule.addressMissing',
      'address.city': 'rule.cityMissing',
      'address.postCode': 'rule.zipcodeMissing',
    });
  });

  it('validation says when the shop does not ship to the address', () => {
    const address = {
      ...emptyDraft.address,
      streetNumberAndNameDetails: '1 Main',
      city: 'Ottawa',
      postCode: 'K1A',
    };
    const nowhere = { ...facts, shippingMethods: [] };
    expect(checkoutErrors(fill('shipping', {}, address), nowhere)).toEqual({
      shippingMethod: 'rule.shippingMethodNone',
    });
    expect(checkoutErrors(fill('shipping', {}, address), facts)).toEqual({});
  });

  it('validation takes the cheapest shipping method until another is chosen', () => {
    const methods = [{ id: 'standard' }, { id: 'express' }] as never;
    expect(chosenShippingMethod('', methods)).toMatchObject({ id: 'standard' });
    expect(chosenShippingMethod('express', methods)).toMatchObject({ id: 'express' });
    expect(chosenShippingMethod('to-another-country', methods)).toMatchObject({ id: 'standard' });
  });
});

describe('validation of pickup', () => {
  const pickup = { pickupStore: 'toronto-queen-west', pickupDay: '2026-11-21' } as const;

  it('validation of pickup asks for a store first, then for a time', () => {
    expect(checkoutErrors(fill('pickup'), facts)).toEqual({ localStoreName: 'rule.pickupStoreMissing' });
    expect(checkoutErrors(fill('pickup', pickup), facts)).toEqual({ pickupDate: 'checkout.time.missing' });
  });

  it('validation gives the reason why a pickup time is unavailable', () => {
    expect(checkoutErrors(fill('pickup', { ...pickup, pickupHour: '9', pickupMinute: '55' }), facts)).toEqual(
      {
        pickupDate: { key: 'rule.slotClosed', values: {} },
      },
    );
    expect(
      checkoutErrors(fill('pickup', { ...pickup, pickupHour: '10', pickupMinute: '0' }), facts),
    ).toMatchObject({
      pickupDate: { key: 'rule.slotFull' },
    });
    expect(
      checkoutErrors(fill('pickup', { ...pickup, pickupHour: '3', pickupMinute: '0' }), facts),
    ).toMatchObject({
      pickupDate: { key: 'rule.slotClosed' },
    });
    const free = fill('pickup', { ...pickup, pickupHour: '10', pickupMinute: '5' });
    expect(checkoutErrors(free, facts)).toEqual({});
    // The times of the day are not loaded: if the form were sent without them, the choice would be lost.
    expect(checkoutErrors(free, { ...facts, slots: undefined })).toEqual({
      pickupDate: 'checkout.time.unknown',
    });
  });

  it('validation needs no time where the shop shows no times, and no store where it shows no list', () => {
    const plain = {
      ...facts,
      config: { ...config, displayPickupTime: false, displayPickupLocations: false },
    };
    expect(checkoutErrors(fill('pickup'), plain)).toEqual({});
  });

  it('validation says when no store offers pickup', () => {
    expect(checkoutErrors(fill('pickup'), { ...facts, stores: [] })).toEqual({
      localStoreName: 'rule.pickupNoStores',
    });
  });
});

describe('validation of dine-in', () => {
  it('validation of dine-in needs the store and one of its tables', () => {
    expect(checkoutErrors(fill('instore'), facts)).toEqual({
      localStoreName: 'rule.inStoreStoreMissing',
      tableNumber: 'rule.tableMissing',
    });
    const table = { tableStore: 'markham-unionville', tableNumber: '7' } as const;
    expect(checkoutErrors(fill('instore', table), facts)).toEqual({});
    expect(checkoutErrors(fill('instore', { ...table, tableNumber: '19' }), facts)).toEqual({
      tableNumber: { key: 'rule.tableUnknown', values: { tables: 18 } },
    });
  });
});

describe('validation of the method', () => {
  it('validation asks for a method where there are several and chooses the only one', () => {
    expect(checkoutErrors(fill(null), facts)).toEqual({ methodName: 'rule.methodMissing' });
    const one = { ...facts, config: { ...config, enablePickup: false, inStoreEnabled: false } };
    expect(checkoutErrors(fill(null), one)).not.toHaveProperty('methodName');
    const none = { ...facts, config: { ...one.config, domesticShippingEnabled: false } };
    expect(checkoutErrors(fill(null), none)).toEqual({ methodName: 'rule.methodNotSetUp' });
  });
});

describe('validation of stock', () => {
  const lines = [
    { sku: 'mug', quantity: 3, inStoreOnly: false },
    { sku: 'latte', quantity: 1, inStoreOnly: true },
  ];
  const stock = new Map([
    [
      'mug',
      {
        shippable: 2,
        inventoryStoreInfos: [
          { localStoreName: 'a', number: 3 },
          { localStoreName: 'b', number: 1 },
        ],
      },
    ],
    ['latte', { shippable: 9, inventoryStoreInfos: [{ localStoreName: 'b', number: 9 }] }],
  ]) as never;

  it('validation names the items that the chosen store lacks', () => {
    expect(lackingAt('a', lines, stock).map(({ sku }) => sku)).toEqual(['latte']);
    expect(lackingAt('b', lines, stock).map(({ sku }) => sku)).toEqual(['mug']);
  });

  it.each([
    ['what a store has enough of', { shippable: 0, number: 3 }, { key: 'noShipStock' }],
    ['what is sold out everywhere', { shippable: 0, number: 0 }, { key: 'noShipSoldOut' }],
    ['what every place has too few of', { shippable: 1, number: 2 }, { key: 'noShipFew', count: 2 }],
  ])('validation says why %s is not shipped', (_, { shippable, number }, reason) => {
    const inventoryStoreInfos = [
      { localStoreName: 'a', nameContent: { en: 'A' }, number, allowPickup: true },
    ];
    const line = { sku: 'mug', quantity: 3, inStoreOnly: false };
    const known = new Map([['mug', { shippable, inventoryStoreInfos } as unknown as Inventory]]);
    expect(noShipReason(line, [line], known)).toEqual(reason);
    expect(noShipReason({ ...line, inStoreOnly: true }, [line], known)).toEqual({ key: 'noShipInStoreOnly' });
  });

  it('validation names the items that cannot be shipped and treats unknown stock as available', () => {
    expect(notShippable(lines, stock).map(({ sku }) => sku)).toEqual(['mug', 'latte']);
    expect(notShippable(lines, new Map()).map(({ sku }) => sku)).toEqual(['latte']);
    expect(lackingAt('a', lines, new Map())).toEqual([]);
  });
});
