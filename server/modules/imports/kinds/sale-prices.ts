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

/** What is given as less, instead of as a price. */
export const discountFields = ['discountAmount', 'discountPercent'] as const;

/** Of the fields `price` and `salePrice`, or of what is taken off `price`. */
export function pricesIn(
  reader: RowReader,
  times: SaleTimes,
  now: number,
): Pick<FoundVariant, 'priceCents' | 'compareAtCents'> {
  const regular = reader.cents('price') ?? undefined;
  const field =
    ['salePrice', ...discountFields].find((each) => isGiven(reader.text(each) ?? '')) ?? 'salePrice';
  const sale = isSaleOn(reader, field, { times, now }) ? salePriceIn(reader, field, regular) : undefined;
  const isReduced = sale !== undefined && (regular === undefined || sale < regular);
  const price = isReduced ? sale : regular;
  return {
    ...(price === undefined ? {} : { priceCents: price }),
    ...(['salePrice', ...discountFields].some((each) => reader.has(each))
      ? { compareAtCents: isReduced ? (regular ?? null) : null }
      : {}),
  };
}

// Some shops write 0 for none.
const isGiven = (text: string) => text !== '' && numberIn(text) !== 0;

function salePriceIn(reader: RowReader, field: string, regular: number | undefined): number | undefined {
  if (field === 'salePrice') return reader.cents(field) ?? undefined;
  const off =
    field === 'discountPercent' ? percentOf(regular, reader.number(field, 100)) : reader.cents(field);
  return regular === undefined || typeof off !== 'number' ? undefined : Math.max(0, regular - off);
}

const percentOf = (cents: number | undefined, percent: number | null | undefined) =>
  cents === undefined || typeof percent !== 'number' ? undefined : Math.round((cents * percent) / 100);

function isSaleOn(
  reader: RowReader,
  field: string,
  { times: { from, until }, now }: { times: SaleTimes; now: number },
): boolean {
  if (!isGiven(reader.text(field) ?? '')) return false;
  const unread = [from, until].find(({ at }) => Number.isNaN(at));
  const isOn = from.at <= now && now < until.at;
  if (unread) reader.refuse(unread.field, 'problem.sheet.time');
  else if (!isOn)
    reader.lose(field, now < from.at ? 'problem.sheet.lost.saleToCome' : 'problem.sheet.lost.saleOver');
  else if (Number.isFinite(until.at)) reader.lose(until.field, 'problem.sheet.lost.saleEnd');
  return isOn;
}
