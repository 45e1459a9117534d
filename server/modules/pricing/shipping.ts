/** Shipping methods and what they cost. */
import type { LocalText } from '#contract/locales.ts';
import type { Destination } from './tax.ts';

/** As the shop's settings have it; money in cents. */
export interface ShippingMethodSetting {
  id: string;
  name: LocalText;
  description: LocalText;
  countries: readonly string[];
  /** Empty: the whole of those countries. */
  provinceCodes: readonly string[];
  priceCents: number;
  /** Free from this much of goods after discount; null: never. */
  freeOverCents: number | null;
  minBusinessDays: number;
  maxBusinessDays: number;
}

/** The price of shipping goods worth `goods` cents after discount; `free` by a coupon, for a method that can be free. */
export function shippingPrice(method: ShippingMethodSetting, goods: number, free = false): number {
  if (method.freeOverCents === null) return method.priceCents;
  return free || goods >= method.freeOverCents ? 0 : method.priceCents;
}

/** The methods that go to a destination, cheapest for these goods first; of two that cost the same the quicker one. */
export function methodsTo(
  methods: readonly ShippingMethodSetting[],
  destination: Destination,
  goods: number,
  free = false,
): ShippingMethodSetting[] {
  return methods
    .filter((method) => serves(method, destination))
    .toSorted((a, b) => shippingPrice(a, goods, free) - shippingPrice(b, goods, free) || a.maxBusinessDays - b.maxBusinessDays);
}

function serves(method: ShippingMethodSetting, { countryISOCode, provinceCode }: Destination): boolean {
  if (!method.countries.includes(countryISOCode)) return false;
  return method.provinceCodes.length === 0 || (provinceCode !== null && method.provinceCodes.includes(provinceCode));
}
