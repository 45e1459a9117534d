import { useHydrated } from '@tanstack/react-router';
import { addressDefaults } from '#contract/limits.ts';
import type { AddressForm, PickupLocation } from '#contract/schemas/shop.ts';

/** An address while it is typed: every field is present, empty ones as ''. */
export interface AddressValue extends Record<string, string> {
  streetNumberAndNameDetails: string;
  addressDescription: string;
  city: string;
  /** The province's name as in its country's list. */
  province: string;
  postCode: string;
  countryISOCode: string;
}

/** SPEC §3: Ontario, Canada. */
export const emptyAddress: AddressValue = {
  streetNumberAndNameDetails: '',
  addressDescription: '',
  city: '',
  province: addressDefaults.province,
  postCode: '',
  countryISOCode: addressDefaults.countryISOCode,
};

/** Without what was typed for another country, which has fields that this one has not. */
export function askedParts<Value extends AddressValue>(address: Value, form: AddressForm | undefined): Value {
  if (!form) return address;
  const asked = new Set<string>(form.fields.map(({ name }) => name));
  const others = (['city', 'province', 'postCode'] as const).filter((name) => !asked.has(name));
  return { ...address, ...Object.fromEntries(others.map((name) => [name, ''])) };
}

type Device = 'android' | 'apple' | 'other';

/** The platform that the browser reports. Browser only. */
export function deviceOf(userAgent: string): Device {
  if (/android/i.test(userAgent)) return 'android';
  return /iphone|ipad|ipod|macintosh/i.test(userAgent) ? 'apple' : 'other';
}

type Place = Pick<PickupLocation, 'lat' | 'lng' | 'address'>;

/** Android opens its map apps for `geo:`, Apple's devices theirs for maps.apple.com. With the address, because it identifies the entrance. */
export function directionsUrl({ lat, lng, address }: Place, name: string, device: Device): string {
  const { streetNumberAndNameDetails, city, province, postCode } = address;
  const where = [streetNumberAndNameDetails, city, `${province} ${postCode}`].join(', ');
  if (device === 'android') return `geo:${lat},${lng}?q=${encodeURIComponent(`${name}, ${where}`)}`;
  const destination = encodeURIComponent(where);
  if (device === 'apple') return `https://maps.apple.com/?daddr=${destination}&ll=${lat},${lng}`;
  return `https://www.google.com/maps/dir/?api=1&destination=${destination}`;
}

export function useDirectionsUrl(place: Place, name: string): string {
  // The server renders the link for other devices; the browser replaces it once it knows its map app.
  const device = useHydrated() ? deviceOf(navigator.userAgent) : 'other';
  return directionsUrl(place, name, device);
}
