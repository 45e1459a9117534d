import { describe, expect, it } from 'vitest';
import { addressLines, personName } from './address.ts';

describe('a name', () => {
  it('is written as its language does, whatever the language of the page', () => {
    expect(personName({ firstName: 'Mei', lastName: 'Tremblay' })).toBe('Mei Tremblay');
    expect(personName({ firstName: '嘉', lastName: '林' })).toBe('林嘉');
    expect(personName({ firstName: '', lastName: 'Lin' })).toBe('Lin');
    expect(personName({ firstName: '', lastName: '' })).toBe('');
  });
});

describe('an address', () => {
  it('has no empty lines or stray commas', () => {
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
