import { describe, expect, it } from 'vitest';
import en from '../messages/en.json' with { type: 'json' };
import { addressErrors } from './address.ts';
import { contactErrors, contactNeeds } from './contact.ts';
import {
  chosenMethod,
  methodErrors,
  pickupErrors,
  type StoreFacts,
  slotErrors,
  tableErrors,
} from './method.ts';
import { cardErrors, offeredPaymentMethods, paymentErrors, takenAtCounter, tipErrors } from './payment.ts';
import { quantityErrors } from './quantity.ts';

const both = { requireMobile: true, requireEmail: true };
const neither = { requireMobile: false, requireEmail: false };
const ways = {
  domesticShippingEnabled: true,
  enablePickup: true,
  inStoreEnabled: true,
};
const store: StoreFacts = {
  localStoreName: 'queen-west',
  display: true,
  allowPickup: true,
  mainStore: true,
  tables: 14,
};
const studio: StoreFacts = {
  localStoreName: 'studio',
  display: true,
  allowPickup: false,
  mainStore: false,
  tables: 0,
};
const corner: StoreFacts = {
  localStoreName: 'corner',
  display: true,
  allowPickup: true,
  mainStore: false,
  tables: 8,
};

describe('the quantity rule', () => {
  it.each([0, -1, 1.5, Number.NaN])('a quantity of %s is invalid', (quantity) => {
    expect(quantityErrors(quantity)).toEqual({
      quantity: 'rule.quantityInvalid',
    });
  });
  it('a quantity is 1 to 98, also in sum', () => {
    expect(quantityErrors(1)).toEqual({});
    expect(quantityErrors(98)).toEqual({});
    expect(quantityErrors(48, 50)).toEqual({});
    expect(quantityErrors(99)).toEqual({
      quantity: { key: 'rule.quantityTooMany', values: { limit: 98 } },
    });
    expect(quantityErrors(49, 50)).toEqual({
      quantity: {
        key: 'rule.quantityTooManyInCart',
        values: { count: 50, limit: 98 },
      },
    });
  });
});

describe('the contact rules', () => {
  it('the contact rules name the required fields that are missing', () => {
    expect(contactErrors({ phoneNumber: ' ' }, both)).toEqual({
      'contact.phoneNumber': 'rule.phoneMissing',
      'contact.email': 'rule.emailMissing',
    });
    expect(contactErrors({}, neither)).toEqual({});
  });
  it('an order at a table needs an email where the shop requires one, unless it leaves guests at tables without', () => {
    const optional = { ...both, emailOptionalAtTables: true };
    expect(contactNeeds(both, 'instore')).toMatchObject(both);
    expect(contactErrors({}, contactNeeds(optional, 'instore'))).toEqual({
      'contact.phoneNumber': 'rule.phoneMissing',
    });
    for (const method of ['shipping', 'pickup', null] as const)
      expect(contactNeeds(optional, method)).toMatchObject(both);
    expect(contactNeeds(neither, 'instore')).toMatchObject(neither);
  });
  it('an order that is sent needs a first and a last name, and one that is picked up or eaten does not', () => {
    const missing = {
      'contact.firstName': 'rule.firstNameMissing',
      'contact.lastName': 'rule.lastNameMissing',
    };
    expect(contactErrors({ firstName: ' ' }, contactNeeds(neither, 'shipping'))).toEqual(missing);
    expect(contactErrors({ firstName: 'Jo', lastName: 'Lin' }, contactNeeds(neither, 'shipping'))).toEqual(
      {},
    );
    for (const method of ['pickup', 'instore', null] as const)
      expect(contactErrors({}, contactNeeds(neither, method))).toEqual({});
  });
  it('an invalid email or phone number is rejected, required or not', () => {
    expect(contactErrors({ phoneNumber: 'call me', email: 'jo@home' }, neither, 'shippingContact')).toEqual({
      'shippingContact.phoneNumber': 'rule.phoneInvalid',
      'shippingContact.email': 'rule.emailInvalid',
    });
  });
  it.each(['+1 (519) 555-0104', '５１９５５５０１０４', '138 0013 8000'])(
    'the phone number %s is valid',
    (phoneNumber) => {
      expect(contactErrors({ phoneNumber }, neither)).toEqual({});
    },
  );
  it.each(['a@b..example', 'a@.b.example', 'a@b.example.'])('the email %s is invalid', (email) => {
    expect(contactErrors({ email }, neither)).toEqual({ 'contact.email': 'rule.emailInvalid' });
  });
  it.each(['jordan.lin+tea@maple-and-clay.example', ' 林@例子.公司 ', "o'neil@x.co"])(
    'the email %s is valid',
    (email) => {
      expect(contactErrors({ email }, neither)).toEqual({});
    },
  );
});

describe('the address rules', () => {
  it('the address rules name every missing part under its prefix', () => {
    expect(addressErrors({}, 'billingAddress')).toEqual({
      'billingAddress.streetNumberAndNameDetails': 'rule.addressMissing',
      'billingAddress.city': 'rule.cityMissing',
      'billingAddress.postCode': 'rule.zipcodeMissing',
      'billingAddress.countryISOCode': 'rule.countryMissing',
      'billingAddress.province': 'rule.provinceMissing',
    });
  });
  it('the address rules take the street in either of the SPEC’s spellings, and the country by name or code', () => {
    const rest = { city: 'Waterloo', postCode: 'N2L 0A1', province: 'Ontario' };
    expect(
      addressErrors({
        ...rest,
        streetNumberAndNameDetails: '1 Road',
        countryISOCode: 'CA',
      }),
    ).toEqual({});
    expect(
      addressErrors({
        ...rest,
        streetNumberAndDetails: '1 Road',
        country: 'Canada',
      }),
    ).toEqual({});
  });
});

describe('the method rules', () => {
  it('a delivery method is required and must be switched on', () => {
    expect(methodErrors(null, ways)).toEqual({
      methodName: 'rule.methodMissing',
    });
    expect(methodErrors('pickup', ways)).toEqual({});
    expect(methodErrors('pickup', { ...ways, enablePickup: false })).toEqual({
      methodName: 'rule.pickupNotAvailable',
    });
    expect(methodErrors('shipping', { ...ways, domesticShippingEnabled: false })).toEqual({
      methodName: 'rule.shippingNotAvailable',
    });
    expect(methodErrors('instore', { ...ways, inStoreEnabled: false })).toEqual({
      methodName: 'rule.inStoreNotAvailable',
    });
  });
  it('the only delivery method is chosen by itself, and a shop without one has none', () => {
    const none = {
      domesticShippingEnabled: false,
      enablePickup: false,
      inStoreEnabled: false,
    };
    expect(chosenMethod(null, { ...none, enablePickup: true })).toBe('pickup');
    expect(chosenMethod(null, ways)).toBeNull();
    expect(methodErrors(null, { ...none, enablePickup: true })).toEqual({});
    expect(methodErrors('pickup', none)).toEqual({
      methodName: 'rule.methodNotSetUp',
    });
  });
});

describe('the pickup rules', () => {
  const shown = { displayPickupLocations: true, enablePickup: true };
  it('pickup needs a store that offers it', () => {
    expect(pickupErrors('queen-west', [store, studio, corner], shown)).toEqual({});
    expect(pickupErrors('', [store, corner], shown)).toEqual({
      localStoreName: 'rule.pickupStoreMissing',
    });
    expect(pickupErrors('studio', [store, studio], shown)).toEqual({
      localStoreName: 'rule.pickupNotAvailable',
    });
    expect(pickupErrors('queen-west', [studio], shown)).toEqual({
      localStoreName: 'rule.pickupNoStores',
    });
    expect(pickupErrors('queen-west', [store], { ...shown, enablePickup: false })).toEqual({
      methodName: 'rule.pickupNotAvailable',
    });
  });
  it('pickup uses the main store where no list is shown, and the only store where there is one', () => {
    expect(
      pickupErrors(null, [corner, store], {
        ...shown,
        displayPickupLocations: false,
      }),
    ).toEqual({});
    expect(pickupErrors(null, [store, studio], shown)).toEqual({});
  });
});

describe('the dine-in rules', () => {
  it('dine-in needs a store and one of its tables', () => {
    expect(tableErrors('7', 'queen-west', [store, corner])).toEqual({});
    expect(tableErrors(' ', 'queen-west', [store, corner])).toEqual({
      tableNumber: 'rule.tableMissing',
    });
    expect(tableErrors('9', 'corner', [store, corner])).toEqual({
      tableNumber: { key: 'rule.tableUnknown', values: { tables: 8 } },
    });
    expect(tableErrors('A', null, [store, corner])).toEqual({
      localStoreName: 'rule.inStoreStoreMissing',
    });
    expect(tableErrors('0', null, [corner])).toEqual({
      tableNumber: { key: 'rule.tableUnknown', values: { tables: 8 } },
    });
    expect(tableErrors('1', 'studio', [store, studio])).toEqual({
      localStoreName: 'rule.inStoreNotAvailable',
    });
    expect(tableErrors('1', 'studio', [studio])).toEqual({
      methodName: 'rule.inStoreNotAvailable',
    });
  });
});

describe('the card rules', () => {
  const now = Date.UTC(2026, 10, 21);
  const good = {
    cardHolderName: 'Jordan Lin',
    creditCardNumber: '4242 4242-4242 4242',
    cardCode: '123',
    expirationMonth: 11,
    expirationYear: 2026,
  };
  const one = (change: object) => Object.entries(cardErrors({ ...good, ...change }, now));

  it('the card rules name everything that is missing', () => {
    expect(cardErrors({}, now)).toEqual({
      'paymentInstrucment.cardHolderName': 'rule.cardHolderMissing',
      'paymentInstrucment.creditCardNumber': 'rule.cardNumberMissing',
      'paymentInstrucment.cardCode': 'rule.cardCodeMissing',
      'paymentInstrucment.expirationMonth': 'rule.cardMonthMissing',
      'paymentInstrucment.expirationYear': 'rule.cardYearMissing',
    });
  });
  it.each([
    [{}, []],
    [{ creditCardNumber: '123456789012' }, []],
    [{ creditCardNumber: '1234567890123456789' }, []],
    [
      { creditCardNumber: '12345678901' },
      [['paymentInstrucment.creditCardNumber', 'rule.cardNumberInvalid']],
    ],
    [
      { creditCardNumber: '12345678901234567890' },
      [['paymentInstrucment.creditCardNumber', 'rule.cardNumberInvalid']],
    ],
    [
      { creditCardNumber: '4242x42424242424' },
      [['paymentInstrucment.creditCardNumber', 'rule.cardNumberInvalid']],
    ],
    [{ cardCode: '12' }, [['paymentInstrucment.cardCode', 'rule.cardCodeInvalid']]],
    [{ cardCode: '12345' }, [['paymentInstrucment.cardCode', 'rule.cardCodeInvalid']]],
    [{ cardCode: '1234' }, []],
    [{ expirationMonth: 10 }, [['paymentInstrucment.expirationMonth', 'rule.cardExpired']]],
    [
      { expirationMonth: '12', expirationYear: '25' },
      [['paymentInstrucment.expirationMonth', 'rule.cardExpired']],
    ],
    [{ expirationMonth: '01', expirationYear: '27' }, []],
    [{ expirationMonth: 13 }, [['paymentInstrucment.expirationMonth', 'rule.cardMonthInvalid']]],
    [{ expirationYear: 202 }, [['paymentInstrucment.expirationYear', 'rule.cardYearInvalid']]],
  ])('the card %j has the errors %j', (change, errors) => {
    expect(one(change)).toEqual(errors);
  });
  it('a card is valid until its month is over in every time zone', () => {
    const december = Date.UTC(2026, 11, 1);
    const isExpired = (at: number) => 'paymentInstrucment.expirationMonth' in cardErrors(good, at);
    expect(isExpired(december + 11 * 3_600_000)).toBe(false);
    expect(isExpired(december + 12 * 3_600_000)).toBe(true);
  });
});

describe('the payment rules', () => {
  const config = {
    payAtStoreEnabled: true,
    paymentOnline: true,
    payPalEnabled: false,
    defaultGateWayProviderName: '{host}',
  };
  it('a payment method is required where there is a choice', () => {
    expect(paymentErrors(null, config, 'pickup')).toEqual({
      paymentMethod: 'rule.paymentMethodMissing',
    });
    expect(paymentErrors('payAtStore', config, 'pickup')).toEqual({});
    expect(paymentErrors(null, config, 'shipping')).toEqual({});
  });
  it('the payment rules name what the shop has not set up', () => {
    const none = { ...config, payAtStoreEnabled: false, paymentOnline: false };
    expect(paymentErrors('online', none, 'pickup')).toEqual({
      paymentMethod: 'rule.paymentMethodsNone',
    });
    expect(paymentErrors('payAtStore', { ...config, payAtStoreEnabled: false }, 'pickup')).toEqual({
      paymentMethod: 'rule.paymentMethodNotSetUp',
    });
    expect(paymentErrors('payAtStore', config, 'shipping')).toEqual({
      paymentMethod: 'rule.paymentMethodNotSetUp',
    });
    expect(paymentErrors('online', { ...config, defaultGateWayProviderName: '' }, 'pickup')).toEqual({
      paymentMethod: 'rule.gatewayNotSetUp',
    });
  });
  it('the shop offers PayPal beside the card form, or alone where no gateway is set up', () => {
    const both = { ...config, payPalEnabled: true };
    expect(offeredPaymentMethods(both, 'pickup')).toEqual(['online', 'payPal', 'payAtStore']);
    expect(offeredPaymentMethods({ ...both, defaultGateWayProviderName: '' }, 'shipping')).toEqual([
      'payPal',
    ]);
    expect(offeredPaymentMethods({ ...both, paymentOnline: false }, 'shipping')).toEqual([]);
    expect(paymentErrors('payPal', both, 'shipping')).toEqual({});
    expect(paymentErrors('payPal', config, 'shipping')).toEqual({
      paymentMethod: 'rule.paymentMethodNotSetUp',
    });
  });
});

it('the rules use the sentences of the SPEC', () => {
  expect([
    en['rule.quantityInvalid'],
    en['rule.outOfStock'],
    en['rule.outOfStockLine'],
    en['rule.phoneMissing'],
    en['rule.emailMissing'],
    en['rule.methodMissing'],
    en['rule.pickupNoStores'],
    en['rule.pickupStoreMissing'],
    en['rule.pickupNotAvailable'],
    en['rule.tableMissing'],
    en['rule.addressMissing'],
    en['rule.provinceMissing'],
    en['rule.paymentMethodsNone'],
    en['rule.methodNotSetUp'],
    en['rule.paymentMethodNotSetUp'],
    en['rule.paymentMethodMissing'],
    en['rule.cardNumberInvalid'],
    en['rule.cardCodeInvalid'],
    en['rule.cardExpired'],
    en['rule.gatewayNotSetUp'],
  ]).toEqual([
    'Quantity is invalid',
    'This product is currently out of stock.',
    '{product} is out of stock',
    'Your phone number is missing',
    'Your email is missing',
    'Checkout method is missing',
    'No stores available for pickup',
    'Please select a store location for pickup',
    'Pickup is not available',
    'Table number is missing',
    'Your address is missing',
    'Your state/province is missing',
    'Payment methods have not been setup. Please visit us again later',
    'Checkout method has not been setup',
    'Payment method has not been setup',
    'Please choose a payment method',
    'Card number is invalid',
    'Card CSV code is invalid',
    'Card has expired',
    'Payment gateway has not been setup',
  ]);
});

it('an unavailable pickup time has a reason', () => {
  expect(slotErrors(null)).toEqual({});
  expect(slotErrors('full')).toEqual({
    pickupDate: { key: 'rule.slotFull', values: {} },
  });
  expect(slotErrors('full', { next: '15:50' })).toEqual({
    pickupDate: { key: 'rule.slotFullNext', values: { time: '15:50' } },
  });
  expect(slotErrors('past', { chosen: '15:45' })).toEqual({
    pickupDate: { key: 'rule.slotPastAt', values: { time: '15:45' } },
  });
  expect(slotErrors('tooFar')).toEqual({
    pickupDate: { key: 'rule.slotTooFar', values: { days: 60 } },
  });
});

it.each([
  ['CAD', 100_000],
  ['JPY', 100_000],
  ['KWD', 1_000_000],
])('a tip in %s may be %i of its smallest unit, and no more', (currency, most) => {
  expect(tipErrors(most, currency)).toEqual({});
  expect(tipErrors(most + 1, currency)).toEqual({ tipAmount: 'rule.tipTooMuch' });
});

describe('money at the counter', () => {
  it('a note of twenty for 18.57 records 18.57 and says the change', () => {
    expect(takenAtCounter(2000, 1857, true)).toEqual({ taken: 1857, change: 143 });
    expect(takenAtCounter(1857, 1857, true)).toEqual({ taken: 1857, change: 0 });
  });
  it('a part of what is due is recorded as it is', () => {
    for (const isCash of [true, false])
      expect(takenAtCounter(1000, 1857, isCash)).toEqual({ taken: 1000, change: 0 });
  });
  it('cash for 18.57 is 18.55 where there are no pennies, and cash for 18.58 is 18.60', () => {
    expect(takenAtCounter(1855, 1857, true, 1855)).toEqual({ taken: 1857, change: 0 });
    expect(takenAtCounter(2000, 1857, true, 1855)).toEqual({ taken: 1857, change: 145 });
    expect(takenAtCounter(2000, 1858, true, 1860)).toEqual({ taken: 1858, change: 140 });
    expect(takenAtCounter(1000, 1858, true, 1860)).toEqual({ taken: 1000, change: 0 });
    expect(takenAtCounter(0, 2, true, 0)).toEqual({ taken: 2, change: 0 });
    expect(takenAtCounter(1858, 1858, false, 1860)).toEqual({ taken: 1858, change: 0 });
    expect(takenAtCounter(1860, 1858, false, 1860)).toBeNull();
  });
  it('a terminal takes no more than is due, and nothing is not recorded', () => {
    expect(takenAtCounter(2000, 1857, false)).toBeNull();
    for (const nothing of [0, null]) expect(takenAtCounter(nothing, 1857, true)).toBeNull();
  });
});
