import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { addressLines } from '#contract/addresses.ts';
import type { Order } from '#contract/schemas/order.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { OrderFacts } from './order-detail.tsx';
import { Destination } from './order-parts.tsx';

it('the order page and its ticket have each line of the address, with whoever receives the parcel and their phone number', async () => {
  const shippingAddress = {
    streetNumberAndNameDetails: '25 Niagara Street',
    addressDescription: 'Apt 1204, buzzer 77',
    city: 'Old Toronto',
    province: 'Ontario',
    postCode: 'M6J 1K2',
    country: 'Canada',
    countryISOCode: 'CA',
    contactPhone: '+1 416-555-0177',
  };
  const shippingContact = { firstName: 'Aiko', lastName: 'Moreau', phoneNumber: '', email: '' };
  const order: Order = { ...sampleOrder, method: 'shipping', shippingAddress, shippingContact };
  const i18n = await loadI18n('en');
  for (const Place of [OrderFacts, Destination]) {
    const html = renderToStaticMarkup(
      <I18nProvider i18n={i18n}>{<Place order={order} store={undefined} />}</I18nProvider>,
    );
    for (const line of ['Aiko Moreau', ...addressLines(shippingAddress), shippingAddress.contactPhone])
      expect(html).toContain(line);
  }
});
