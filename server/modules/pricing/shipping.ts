import type { LocalText } from '#contract/locales.ts';
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
  return free || goods >= method.freeOverCents ? 0 : method.priceCents;
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
    .toSorted((a, b) => shippingPrice(a, goods, free) - shippingPrice(b, goods, free) || a.maxBusinessDays - b.maxBusinessDays);
}

function serves(method: ShippingMethodSetting, { countryISOCode, provinceCode }: Destination): boolean {
  if (!method.countries.includes(countryISOCode)) return false;
  return method.provinceCodes.length === 0 || (provinceCode !== null && method.provinceCodes.includes(provinceCode));
}
