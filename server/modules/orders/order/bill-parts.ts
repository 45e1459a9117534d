/**
 * Divides an agreed bill into what can be refunded by itself: units of lines, shipping and the service charge, each with its own taxes,
 * and the tip. Pure, in integer cents. Whatever the order in which all of it is refunded, the amounts sum to the bill.
 */

import { taxIn } from '#contract/rules/tax-labels.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { homeCountry } from '#contract/taxes.ts';
import { allocate, isZeroRated, mulDivHalfUp } from '#server/modules/pricing/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { TaxedPart } from './order.ts';

/** What is refunded of a bill besides the tip, or was. */
export interface RefundCovers {
  /** `unsent`: so many of them are not sent or handed over any more. */
  lines: readonly { line: string; quantity: number; unsent?: number }[];
  shipping?: boolean;
  serviceCharge?: boolean;
}

/** What a refund covers, as it was stored with it. */
export const coversOf = ({ covers }: { covers?: unknown }): RefundCovers[] =>
  covers ? [covers as RefundCovers] : [];

interface BilledLine {
  id: string;
  quantity: number;
  unitPrice: number;
  /** Left out, it is not asked for. */
  taxClass?: string;
}

type TaxedBill = Bill & { taxed?: TaxedPart[] | undefined };

/** Cents. `net` is after the share of the discount. */
interface Part {
  net: number;
  tax: number;
}

/** What can still be refunded. Cents, with tax. */
type Refundable = Pick<OrderSheet['refundable'], 'lines' | 'shipping' | 'serviceCharge'>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const worth = ({ base, taxes }: TaxedPart) => base + sum(taxes.map(({ amount }) => amount));

/**
 * What of a bill is taxed how. Of bills from before it was kept, it is what their taxes tell: one part for each line, whose class is the
 * line's. `known` is where and when the order was placed.
 */
export function taxedOf(
  bill: TaxedBill,
  lines: readonly BilledLine[],
  { place = homeCountry, day = '' }: { place?: string; day?: string } = {},
): TaxedPart[] {
  if (bill.taxed) return bill.taxed;
  const totals = lines.map(({ unitPrice, quantity }) => unitPrice * quantity);
  const shares = allocate(bill.discount, totals);
  const charge = bill.serviceCharge?.amount ?? 0;
  const nets = [...totals.map((total, index) => total - (shares[index] ?? 0)), bill.shipping, charge];
  const taxes = taxesByPart(bill, nets, lines);
  return nets.flatMap((base, index): TaxedPart[] => {
    const line = lines[index];
    if (!line && base === 0) return [];
    const of = line ? 'line' : index === lines.length ? 'shipping' : 'serviceCharge';
    const taxClass = line?.taxClass ?? 'standard';
    const own = (taxes[index] ?? []).map(({ label, amount }) => ({ ...taxIn(label), label, amount }));
    return [
      {
        of,
        line: line?.id ?? null,
        place,
        day,
        taxClass,
        treatment: treatmentIn(taxClass, own.length > 0, place),
        quantity: line?.quantity ?? 0,
        discount: shares[index] ?? 0,
        base,
        taxes: own,
      },
    ];
  });
}

/** Of lines, shipping and the service charge. */
function taxesByPart(
  bill: Bill,
  nets: readonly number[],
  lines: readonly BilledLine[],
): { label: string; amount: number }[][] {
  const { lineTaxes = [], serviceCharge, taxLines } = bill;
  const kept = nets.map(
    (_, index) => (index === nets.length - 1 ? serviceCharge?.taxes : lineTaxes[index]?.taxes) ?? [],
  );
  if (sum(kept.flat().map(({ amount }) => amount)) === bill.tax) return kept;
  // Bills from before each line's tax was stored have their sum alone, which goods without a tax have no part in.
  const taxed = nets.map((net, index) => (isZeroRated(lines[index]?.taxClass ?? '') ? 0 : net));
  const weights = sum(taxed) >= bill.tax ? taxed : nets;
  const shares = taxLines.map(({ label, amount }) => ({ label, amounts: allocate(amount, weights) }));
  return nets.map((_, index) =>
    shares.flatMap(({ label, amounts }) => (weights[index] ? [{ label, amount: amounts[index] ?? 0 }] : [])),
  );
}

function treatmentIn(taxClass: string, isTaxed: boolean, place: string): TaxedPart['treatment'] {
  if (isTaxed) return 'taxable';
  if (!place.startsWith(homeCountry)) return 'export';
  if (taxClass === 'bottle-deposit') return 'outOfScope';
  return taxClass === 'standard' ? 'taxable' : 'zeroRated';
}

export function billParts(
  bill: TaxedBill,
  lines: readonly BilledLine[],
): { lines: Part[]; shipping: Part; serviceCharge: Part } {
  const taxed = Map.groupBy(taxedOf(bill, lines), ({ of, line }) => line ?? of);
  const partOf = (parts: readonly TaxedPart[] = []): Part => {
    const net = sum(parts.map(({ base }) => base));
    return { net, tax: sum(parts.map(worth)) - net };
  };
  return {
    lines: lines.map(({ id }) => partOf(taxed.get(id))),
    shipping: partOf(taxed.get('shipping')),
    serviceCharge: partOf(taxed.get('serviceCharge')),
  };
}

/** What one refund after another has of a part, each amount by itself, so that the last unit takes what rounding left. */
function shareOf(part: TaxedPart, from: number, to: number, quantity: number): TaxedPart {
  const share = (cents: number) => mulDivHalfUp(cents, to, quantity) - mulDivHalfUp(cents, from, quantity);
  return {
    ...part,
    quantity: share(part.quantity),
    discount: share(part.discount),
    base: share(part.base),
    taxes: part.taxes.map((tax) => ({ ...tax, amount: share(tax.amount) })),
  };
}

/**
 * What is given back of each part of a bill, with its own taxes: of units of lines, shipping and the service charge, after the refunds
 * in `done`. They sum to the amount of the refund.
 * @throws {OperationError} if a line has not that many units left
 */
export function refundShares(
  bill: TaxedBill,
  lines: readonly BilledLine[],
  done: readonly RefundCovers[],
  covers: RefundCovers,
): TaxedPart[] {
  const taxed = taxedOf(bill, lines);
  const units = Map.groupBy(covers.lines, ({ line }) => line);
  const known = new Map(lines.map((line) => [line.id, line]));
  const ofLines = [...units].flatMap(([id, wanted]) => {
    const quantity = known.get(id)?.quantity ?? 0;
    const from = refundedUnits(done, id);
    const to = from + sum(wanted.map((each) => each.quantity));
    if (to > quantity || to === from) throw new OperationError('error.refund.units');
    return taxed.filter(({ line }) => line === id).map((part) => shareOf(part, from, to, quantity));
  });
  const whole = (name: 'shipping' | 'serviceCharge') =>
    covers[name] && !done.some((each) => each[name]) ? taxed.filter(({ of }) => of === name) : [];
  return [...ofLines, ...whole('shipping'), ...whole('serviceCharge')];
}

/**
 * What is left of the parts of a bill after `given`, of which `amount` cents are given back without saying of what: each part and tax
 * gives its share. At most what is left.
 */
export function amountShares(
  taxed: readonly TaxedPart[],
  given: readonly TaxedPart[],
  amount: number,
): TaxedPart[] {
  const keyOf = ({ of, line, taxClass, treatment, day }: TaxedPart) =>
    [of, line, taxClass, treatment, day].join(' ');
  const before = Map.groupBy(given, keyOf);
  const left = taxed.map((part) => {
    const gone = before.get(keyOf(part)) ?? [];
    const taxOf = (name: string) =>
      sum(gone.flatMap(({ taxes }) => taxes.filter((tax) => tax.name === name).map((tax) => tax.amount)));
    return {
      ...part,
      base: Math.max(0, part.base - sum(gone.map(({ base }) => base))),
      taxes: part.taxes.map((tax) => ({ ...tax, amount: Math.max(0, tax.amount - taxOf(tax.name)) })),
    };
  });
  const cents = left.flatMap(({ base, taxes }) => [base, ...taxes.map((tax) => tax.amount)]);
  const shares = allocate(Math.min(amount, sum(cents)), cents);
  let at = 0;
  const next = () => shares[at++] ?? 0;
  return left
    .map((part) => ({
      ...part,
      quantity: 0,
      discount: 0,
      base: next(),
      taxes: part.taxes.map((tax) => ({ ...tax, amount: next() })),
    }))
    .filter((part) => worth(part) > 0);
}

/** How many units of a line earlier refunds cover. */
export function refundedUnits(covers: readonly RefundCovers[], line: string): number {
  return sum(covers.flatMap((each) => each.lines.flatMap((one) => (one.line === line ? one.quantity : []))));
}

export function refundableOf(
  bill: TaxedBill,
  lines: readonly BilledLine[],
  done: readonly RefundCovers[],
): Refundable {
  const taxed = Map.groupBy(taxedOf(bill, lines), ({ of, line }) => line ?? of);
  const rest = (name: 'shipping' | 'serviceCharge') =>
    done.some((each) => each[name]) ? 0 : sum((taxed.get(name) ?? []).map(worth));
  return {
    lines: lines.map(({ id, quantity }) => {
      const from = refundedUnits(done, id);
      const left = Math.max(0, quantity - from);
      const parts = taxed.get(id) ?? [];
      const amount = (_: unknown, more: number) =>
        sum(parts.map((part) => worth(shareOf(part, from, from + more + 1, quantity))));
      return { line: id, amounts: Array.from({ length: left }, amount) };
    }),
    shipping: rest('shipping'),
    serviceCharge: rest('serviceCharge'),
  };
}

/**
 * The amount of what is to be refunded, cents.
 * @throws {OperationError} if a line has not that many units left
 */
export function refundAmount(
  left: Refundable,
  { lines, shipping = false, serviceCharge = false }: RefundCovers,
): number {
  const merged = Map.groupBy(lines, ({ line }) => line);
  const amounts = [...merged].map(([line, wanted]) => {
    const quantity = sum(wanted.map((each) => each.quantity));
    const amount = left.lines.find((each) => each.line === line)?.amounts[quantity - 1];
    if (amount === undefined) throw new OperationError('error.refund.units');
    return amount;
  });
  return sum(amounts) + (shipping ? left.shipping : 0) + (serviceCharge ? left.serviceCharge : 0);
}
