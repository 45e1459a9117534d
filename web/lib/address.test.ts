import { describe, expect, it } from 'vitest';
import { addressLines } from './address.ts';

describe('an address', () => {
  it('a printed address has no empty lines or stray commas', () => {
    const address = {
      streetNumberAndNameDetails: '18 Dundas Street West',
      addressDescription: '',
      city: 'Toronto',
      province: 'Ontario',
      postCode: 'M5G 1Z8',
      country: '',
      countryISOCode: 'CA',
      contactPhone: '',
    };
    expect(addressLines(address)).toEqual(['18 Dundas Street West', 'Toronto, Ontario, M5G 1Z8']);
  });
});
