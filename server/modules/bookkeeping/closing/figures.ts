/** What the entries of a span sum to, and how that differs from what was filed. Pure. */
import type { Locale } from '#contract/locales.ts';
import { entryFields } from '#contract/staff/accounts-of-books.ts';
import type { FiledDifference, FiledSum } from '#contract/staff/closing.ts';
import { placeName } from '#server/platform/provinces.ts';

const keyOf = (sum: FiledSum): string =>
  [
    sum.currency,
    sum.store ?? '',
    sum.account,
    ...entryFields.map((field) => (field === 'rate' ? String(sum.rate).padStart(6, '0') : sum[field])),
  ].join('\u0000');

/** Adds up sums of parts of a span; none that says nothing. Always in the same order. */
export function merged(parts: readonly FiledSum[]): FiledSum[] {
  const all = new Map<string, FiledSum>();
  for (const sum of parts) {
    const known = all.get(keyOf(sum));
    if (!known) all.set(keyOf(sum), { ...sum });
    else {
      known.amount += sum.amount;
      known.base += sum.base;
      known.units += sum.units;
    }
  }
  return [...all]
    .filter(([, { amount, base, units }]) => amount !== 0 || base !== 0 || units !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum);
}

/** Where sales belong to, by their names. */
export const placesOf = (sums: readonly FiledSum[], locale: Locale): { id: string; name: string }[] =>
  [...new Set(sums.map(({ place }) => place))]
    .filter((id) => id !== '')
    .map((id) => ({ id, name: placeName(id, locale) }));

/** Each sum that is not what was filed. */
export function differencesOf(filed: readonly FiledSum[], now: readonly FiledSum[]): FiledDifference[] {
  const [before, after] = [filed, now].map((sums) => new Map(sums.map((sum) => [keyOf(sum), sum])));
  const keys = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  return keys.flatMap((key): FiledDifference[] => {
    const [was, is] = [before?.get(key), after?.get(key)];
    const sum = was ?? is;
    if (!sum) return [];
    const of = (['amount', 'base', 'units'] as const).find(
      (field) => (was?.[field] ?? 0) !== (is?.[field] ?? 0),
    );
    return of === undefined ? [] : [{ sum, filed: was?.[of] ?? 0, now: is?.[of] ?? 0 }];
  });
}
