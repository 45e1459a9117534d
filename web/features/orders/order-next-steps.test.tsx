/** The text that a placed order shows the customer in each of its states. */
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { type I18n, I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { calendarFile, OrderNextSteps } from './order-next-steps.tsx';

let en: I18n;
let zh: I18n;
beforeAll(async () => {
  [en, zh] = await Promise.all([loadI18n('en'), loadI18n('zh')]);
});

const address = {
  streetNumberAndNameDetails: '782 Queen Street West',
  city: 'Vancouver',
  province: 'British Columbia',
  postCode: 'V6B 1A1',
  country: 'Canada',
  countryISOCode: 'CA',
  addressDescription: '',
  contactPhone: '',
};
const store: PickupLocation = {
  localStoreName: 'west',
  nameContent: { en: 'West', zh: '西店' },
  description: '',
  display: true,
  allowPickup: true,
  mainStore: true,
  tables: 4,
  email: '',
  phone: '604-555-0100',
  address,
  lat: 49,
  lng: -123,
  // Three hours behind the test's clock.
  timeZone: 'America/Vancouver',
  openingHours: {
    monday: null,
    tuesday: null,
    wednesday: null,
    thursday: null,
    friday: null,
    saturday: null,
    sunday: null,
  },
  specialHours: [],
  image: null,
};
const reserved: Order = {
  ...sampleOrder,
  state: 'reserved',
  orderReserved: true,
  pickUpAtStore: true,
  method: 'pickup',
  localStoreName: 'west',
  pickupDate: Date.UTC(2026, 4, 17, 1),
  timeZone: 'America/Vancouver',
  placedAt: Date.UTC(2026, 4, 16, 20),
  payment: { method: 'payAtStore', paid: false, refunded: 0 },
  reservedUntil: Date.UTC(2026, 4, 18, 1),
};

function markup(change: Partial<Order>, i18n = en): string {
  const { reservedUntil, ...over } = { ...reserved, ...change };
  const waits = over.state === 'reserved' || over.state === 'ready';
  const order = waits && reservedUntil !== undefined ? { ...over, reservedUntil } : over;
  const view = <OrderNextSteps order={order} store={store} shopName="Maple &amp; Clay" />;
  return renderToStaticMarkup(<I18nProvider i18n={i18n}>{view}</I18nProvider>);
}

/** The text alone, as a screen reader has it. */
function said(change: Partial<Order>, i18n = en): string {
  return markup(change, i18n).replaceAll(/<[^>]*>/g, ' ');
}

it('a reservation shows until when it is held, by the clock of its store, in both languages', () => {
  expect(said({})).toMatch(
    /Pay \$68\.00 when you pick up your order\.\s+We’ll hold your items until Sunday, May 17 at 18:00\. After that/,
  );
  expect(said({}, zh)).toContain('5月17日周日 18:00');
  expect(said({ state: 'ready' })).toContain('We’ll hold your items until');
});

it('the next steps of a pickup repeat neither time nor address of the ticket, and lead to the store by a map', () => {
  expect(said({})).not.toMatch(/May 16|782 Queen Street West/);
  expect(said({})).toContain('Give your order number at the counter.');
  expect(markup({})).toMatch(/<a href="https:\/\/www\.google\.com\/maps\/dir\/[^"]+"[^>]*>Directions<\/a>/);
});

it('a parcel says when it arrives', () => {
  const arrival = { earliest: '2026-05-20', latest: '2026-05-25' };
  const text = said({
    method: 'shipping',
    state: 'placed',
    payment: { method: 'Stripe', paid: true, refunded: 0 },
    arrival,
  });
  expect(text).toMatch(/Arrives .*May 20.* – .*May 25/);
  expect(text).not.toContain('Paid');
});

it('a pickup shows the special hours of its store that are still to come', () => {
  store.specialHours = [
    { date: '2026-05-01', hours: null },
    { date: '2026-05-18', hours: { open: '12:00', close: '15:00' } },
  ];
  const text = said({ placedAt: Date.UTC(2026, 4, 16) });
  expect(text).toMatch(/Monday, May 18\s+12:00–15:00/);
  expect(text).not.toContain('May 1 ');
  expect(said({ placedAt: Date.UTC(2026, 4, 16) }, zh)).toMatch(/5月18日周一\s+12:00–15:00/);
  store.specialHours = [];
});

it.each([
  ['lapsed', reserved.payment, 'This order wasn’t picked up in time'],
  ['cancelled', reserved.payment, 'You weren’t charged, and we’re no longer holding the items.'],
  [
    'cancelled',
    { method: '{host}', paid: true, refunded: 6800 },
    'We’re refunding your original payment method.',
  ],
  ['completed', { method: 'payAtStore', paid: true, refunded: 0 }, 'Picked up'],
] as const)(
  'an order that is %s sends nobody to the store and asks for no money',
  (state, payment, words) => {
    const text = said({ state, payment });
    expect(text).toContain(words);
    expect(text).not.toMatch(/Pay \$|come to|hold your items until|Paid \$/);
  },
);

it('a shipped order promises no packing', () => {
  const shipped = {
    method: 'shipping',
    orderReserved: false,
    payment: { method: 'Stripe', paid: true, refunded: 0 },
  } as const;
  expect(said({ ...shipped, state: 'placed' })).toContain('We’re getting your order ready to ship');
  expect(said({ ...shipped, state: 'shipped' })).toMatch(/What happens next\s+Shipped\s*$/);
});

const event = {
  uid: 'MC-2026-000204@shop',
  start: Date.UTC(2026, 10, 21, 19, 30),
  minutes: 15,
  made: Date.UTC(2026, 10, 20, 12),
  title: 'Pick up order MC-2026-000204',
  place: '642 Queen Street West, Toronto',
  description: 'Bring the order number; we keep it for you.\nCall +1 416-555-0142',
};

describe('a calendar file', () => {
  it('a calendar file gives time and place, in universal time', () => {
    const file = calendarFile(event);
    expect(file).toContain('DTSTART:20261121T193000Z\r\n');
    expect(file).toContain('DTEND:20261121T194500Z\r\n');
    expect(file.startsWith('BEGIN:VCALENDAR\r\n')).toBe(true);
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  });

  it('a calendar file escapes characters that have a meaning in the format', () => {
    const text = calendarFile(event).replaceAll('\r\n ', '');
    expect(text).toContain('LOCATION:642 Queen Street West\\, Toronto');
    expect(text).toContain('DESCRIPTION:Bring the order number\\; we keep it for you.\\nCall');
  });

  it('a calendar file folds long lines by bytes, without cutting a character', () => {
    const file = calendarFile({ ...event, description: '请凭订单号取货，我们会为您保留三天。'.repeat(6) });
    const encoder = new TextEncoder();
    for (const line of file.split('\r\n')) expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
    expect(file.replaceAll('\r\n ', '')).toContain('请凭订单号取货，我们会为您保留三天。'.repeat(6));
  });
});
