/** Prices that other shops reduce for a time. This shop knows no such times: what is reduced now stays so. */
import type { FoundVariant } from './found-product.ts';
import { numberIn, type RowReader } from './kind.ts';

interface Bound {
  /** The field that names it. */
  field: string;
  /** Epoch ms; infinite if the file has none, NaN if it cannot be read. */
  at: number;
}

export interface SaleTimes {
  from: Bound;
  until: Bound;
}

/** Of the fields `price` and `salePrice`. */
export function pricesIn(reader: RowReader, times: SaleTimes, now: number): Pick<FoundVariant, 'priceCents' | 'compareAtCents'> {
  const regular = reader.cents('price') ?? undefined;
  const sale = isSaleOn(reader, times, now) ? (reader.cents('salePrice') ?? undefined) : undefined;
  const isReduced = sale !== undefined && (regular === undefined || sale < regular);
  const price = isReduced ? sale : regular;
  return {
    ...(price === undefined ? {} : { priceCents: price }),
    ...(reader.has('salePrice') ? { compareAtCents: isReduced ? (regular ?? null) : null } : {}),
  };
}

function isSaleOn(reader: RowReader, { from, until }: SaleTimes, now: number): boolean {
  const text = reader.text('salePrice') ?? '';
  // Some shops write 0 for none.
  if (text === '' || numberIn(text) === 0) return false;
  const unread = [from, until].find(({ at }) => Number.isNaN(at));
  const isOn = from.at <= now && now < until.at;
  if (unread) reader.refuse(unread.field, 'problem.sheet.time');
  else if (!isOn) reader.lose('salePrice', now < from.at ? 'problem.sheet.lost.saleToCome' : 'problem.sheet.lost.saleOver');
  else if (Number.isFinite(until.at)) reader.lose(until.field, 'problem.sheet.lost.saleEnd');
  return isOn;
}
