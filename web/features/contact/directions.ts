/** Links that show the way to a store, in the map app of the device where there is one. */
import type { PickupLocation } from '#contract/schemas/shop.ts';

export type Device = 'android' | 'apple' | 'other';

/** What the browser says it runs on. Browser only. */
export function deviceOf(userAgent: string): Device {
  if (/android/i.test(userAgent)) return 'android';
  return /iphone|ipad|ipod|macintosh/i.test(userAgent) ? 'apple' : 'other';
}

type Place = Pick<PickupLocation, 'lat' | 'lng' | 'address'>;

/**
 * Android offers its map apps for `geo:`, Apple's devices open theirs for maps.apple.com, and everywhere
 * else the web shows a route. The address stands beside the point: it names the door.
 */
export function directionsUrl({ lat, lng, address }: Place, name: string, device: Device): string {
  const { streetNumberAndNameDetails, city, province, postCode } = address;
  const where = [streetNumberAndNameDetails, city, `${province} ${postCode}`].join(', ');
  if (device === 'android') return `geo:${lat},${lng}?q=${encodeURIComponent(`${name}, ${where}`)}`;
  const destination = encodeURIComponent(where);
  if (device === 'apple') return `https://maps.apple.com/?daddr=${destination}&ll=${lat},${lng}`;
  return `https://www.google.com/maps/dir/?api=1&destination=${destination}`;
}
