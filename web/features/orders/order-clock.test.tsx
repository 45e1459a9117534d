import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { OrderDetail } from './order-detail.tsx';

/** Thursday morning in Auckland, and Wednesday evening in Greenwich. */
const placedAt = Date.UTC(2026, 4, 20, 21, 30);

const order: Order = { ...sampleOrder, timeZone: 'Pacific/Auckland', placedAt };

it('an order page shows times in the time zone that the server gives, even if no store is displayed', async () => {
  const view = <OrderDetail order={order} stores={[]} shop={undefined} actions={null} receipt={null} />;
  const html = renderToStaticMarkup(<I18nProvider i18n={await loadI18n('en')}>{view}</I18nProvider>);
  expect(html).toMatch(/May 21, 2026.*09:30/);
});

it('an order page shows the store of the order after the shop has removed it', async () => {
  const closed = {
    monday: null,
    tuesday: null,
    wednesday: null,
    thursday: null,
    friday: null,
    saturday: null,
    sunday: null,
  };
  const unlistedStore: PickupLocation = {
    localStoreName: 'harbour',
    nameContent: { en: 'Harbour store' },
    description: '',
    display: false,
    allowPickup: true,
    mainStore: false,
    tables: 0,
    email: '',
    phone: '',
    address: {
      streetNumberAndNameDetails: '1 Pier Road',
      city: 'Halifax',
      province: 'Nova Scotia',
      postCode: 'B3H 1A1',
      country: 'Canada',
      countryISOCode: 'CA',
      addressDescription: '',
      contactPhone: '',
    },
    lat: 44,
    lng: -63,
    timeZone: 'America/Halifax',
    openingHours: closed,
    specialHours: [],
    image: null,
  };
  const pickedUp: Order = { ...order, method: 'pickup', localStoreName: 'harbour', unlistedStore };
  const view = <OrderDetail order={pickedUp} stores={[]} shop={undefined} actions={null} receipt={null} />;
  const html = renderToStaticMarkup(<I18nProvider i18n={await loadI18n('en')}>{view}</I18nProvider>);
  expect(html).toContain('Harbour store');
  expect(html).toContain('1 Pier Road');
});
