import { expect, test } from 'vitest';
import type { AddressForm } from '#contract/schemas/shop.ts';
import { askedParts, deviceOf, directionsUrl, emptyAddress } from './address.ts';

const place = {
  lat: 43.6469,
  lng: -79.4057,
  address: {
    streetNumberAndNameDetails: '642 Queen Street West & Lane #2',
    addressDescription: '',
    city: 'Toronto',
    province: 'Ontario',
    postCode: 'M6J 1E4',
    country: 'Canada',
    countryISOCode: 'CA',
    contactPhone: '',
  },
};

test('the directions link opens the map app of the device', () => {
  const android = directionsUrl(place, 'Queen West', 'android');
  expect(android).toMatch(/^geo:43\.6469,-79\.4057\?q=Queen%20West/);
  expect(directionsUrl(place, 'Queen West', 'apple')).toMatch(
    /^https:\/\/maps\.apple\.com\/\?daddr=642%20Queen/,
  );
  expect(directionsUrl(place, 'Queen West', 'other')).toMatch(
    /^https:\/\/www\.google\.com\/maps\/dir\/\?api=1&destination=642/,
  );
});

test('no text in an address changes the target of the directions link', () => {
  for (const device of ['android', 'apple', 'other'] as const)
    expect(directionsUrl(place, 'A & B', device)).not.toMatch(/[#\s]|& /);
});

test.each([
  ['Mozilla/5.0 (Linux; Android 16; Pixel 7) AppleWebKit/537.36', 'android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'apple'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'apple'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'other'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'other'],
])('the browser %s is recognized as %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

test('an address leaves out what was typed for another country, and keeps it while the form is unknown', () => {
  const typed = {
    ...emptyAddress,
    streetNumberAndNameDetails: '5 Main',
    city: 'Toronto',
    postCode: 'M6J 1E4',
  };
  const fields = (['streetNumberAndNameDetails', 'city'] as const).map((name, row) => ({
    name,
    label: name,
    required: true,
    row,
  }));
  const form: AddressForm = { countryISOCode: 'QA', fields, postCode: null, provinces: [] };
  expect(askedParts(typed, form)).toEqual({ ...typed, province: '', postCode: '' });
  expect(askedParts(typed, undefined)).toEqual(typed);
});
