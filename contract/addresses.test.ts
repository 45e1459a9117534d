import { describe, expect, it } from 'vitest';
import { addressLines, receiverLines } from './addresses.ts';

const address = {
  streetNumberAndNameDetails: '18 Dundas Street West',
  addressDescription: 'Apt 1204, buzzer 77',
  city: 'Toronto',
  province: 'Ontario',
  postCode: 'M5G 1Z8',
  country: 'Canada',
  countryISOCode: 'CA',
  contactPhone: '',
};

describe('an address', () => {
  it('a written address has the apartment on a line of its own', () => {
    expect(addressLines(address)).toEqual([
      '18 Dundas Street West',
      'Apt 1204, buzzer 77',
      'Toronto, Ontario, M5G 1Z8',
      'Canada',
    ]);
  });

  it('a written address has no empty lines or stray commas', () => {
    const short = { ...address, addressDescription: '', province: '', country: '' };
    expect(addressLines(short)).toEqual(['18 Dundas Street West', 'Toronto, M5G 1Z8']);
  });

  it('the phone number of a receiver is that of the address, else of whoever receives it, else of the buyer', () => {
    const buyer = { firstName: 'Jordan', lastName: 'Lin', email: 'j@example.com', phoneNumber: '1' };
    const friend = { firstName: '明', lastName: '王', email: '', phoneNumber: '' };
    const phoneOf = (order: Parameters<typeof receiverLines>[0]) => receiverLines(order).at(-1);
    expect(
      phoneOf({
        contact: buyer,
        shippingContact: friend,
        shippingAddress: { ...address, contactPhone: '3' },
      }),
    ).toBe('3');
    expect(
      phoneOf({ contact: buyer, shippingContact: { ...friend, phoneNumber: '2' }, shippingAddress: address }),
    ).toBe('2');
    expect(receiverLines({ contact: buyer, shippingContact: friend, shippingAddress: address })).toEqual([
      '王明',
      ...addressLines(address),
      '1',
    ]);
  });
});
