import type { LocalText } from '#contract/locales.ts';
import { missingForFreeShipping } from '#contract/rules/free-shipping.ts';
import type { Destination } from './tax.ts';

export interface ShippingMethodSetting {
  id: string;
  name: LocalText;
  description: LocalText;
  countries: readonly string[];
  provinceCodes: readonly string[];
  priceCents: number;
  /** Free from this value of items after discount; null: never. */
  freeOverCents: number | null;
  minBusinessDays: number;
  maxBusinessDays: number;
}

/** `goods` is cents after discount; `free` by a coupon, for a method that can be free. */
export function shippingPrice(method: ShippingMethodSetting, goods: number, free = false): number {
  if (method.freeOverCents === null) return method.priceCents;
  const isReached = missingForFreeShipping({ subtotal: goods, discount: 0 }, method.freeOverCents) === 0;
  return free || isReached ? 0 : method.priceCents;
}

/** Cheapest for these items first; of equal prices, the fastest first. */
export function methodsTo(
  methods: readonly ShippingMethodSetting[],
  destination: Destination,
  goods: number,
  free = false,
): ShippingMethodSetting[] {
  return methods
    .filter((method) => serves(method, destination))
    .toSorted(
      (a, b) =>
        shippingPrice(a, goods, free) - shippingPrice(b, goods, free) ||
        a.maxBusinessDays - b.maxBusinessDays,
    );
}

function serves(method: ShippingMethodSetting, { countryISOCode, provinceCode }: Destination): boolean {
  if (!method.countries.includes(countryISOCode)) return false;
  return (
    method.provinceCodes.length === 0 ||
    (provinceCode !== null && method.provinceCodes.includes(provinceCode))
  );
}

/** Pure: days are YYYY-MM-DD of the shop's calendar, and no clock is read. */
export interface DeliveryDates {
  earliest: string;
  latest: string;
}

/** When the shop packs. */
export interface PackingDays {
  /** In business days. */
  packingDays: number;
  /** Besides weekends. */
  holidays: readonly string[];
}

/** The day by which an order placed on `today` is packed. */
export function packedBy(today: string, { packingDays, holidays }: PackingDays): string {
  return businessDaysAfter(today, packingDays, new Set(holidays));
}

/** Of an order placed on `today`, in business days from its packing. */
export function deliveryDates(
  { minBusinessDays, maxBusinessDays }: { minBusinessDays: number; maxBusinessDays: number },
  today: string,
  packing: PackingDays,
): DeliveryDates {
  const closed = new Set(packing.holidays);
  const packed = packedBy(today, packing);
  return {
    earliest: businessDaysAfter(packed, minBusinessDays, closed),
    latest: businessDaysAfter(packed, Math.max(minBusinessDays, maxBusinessDays), closed),
  };
}

function businessDaysAfter(day: string, count: number, closed: ReadonlySet<string>): string {
  let at = Date.parse(`${day}T00:00:00Z`);
  for (let left = count; left > 0; ) {
    // Days of the calendar, counted in UTC, where each has 24 hours.
    at += 86_400_000;
    if (isBusinessDay(at, closed)) left -= 1;
  }
  return dayOf(at);
}

function isBusinessDay(at: number, closed: ReadonlySet<string>): boolean {
  const weekday = new Date(at).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !closed.has(dayOf(at));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
