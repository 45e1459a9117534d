/**
 * Divides an agreed bill into what can be refunded by itself: units of lines, shipping and the service charge, each with its tax,
 * and the tip. Pure, in integer cents. Whatever the order in which all of it is refunded, the amounts sum to the bill.
 */
import type { Bill } from '#contract/schemas/order.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { allocate, mulDivHalfUp } from '#server/modules/pricing/index.ts';
import { OperationError } from '#server/platform/errors.ts';

/** What is refunded of a bill besides the tip, or was. */
export interface RefundCovers {
  /** `unsent`: so many of them are not sent or handed over any more. */
  lines: readonly { line: string; quantity: number; unsent?: number }[];
  shipping?: boolean;
  serviceCharge?: boolean;
}

/** What a refund covers, as it was stored with it. */
export const coversOf = ({ covers }: { covers?: unknown }): RefundCovers[] => (covers ? [covers as RefundCovers] : []);

interface BilledLine {
  id: string;
  quantity: number;
  unitPrice: number;
}

/** Cents. `net` is after the share of the discount. */
interface Part {
  net: number;
  tax: number;
}

/** What can still be refunded. Cents, with tax. */
type Refundable = Pick<OrderSheet['refundable'], 'lines' | 'shipping' | 'serviceCharge'>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const taxOf = (taxes: readonly { amount: number }[] = []) => sum(taxes.map(({ amount }) => amount));
const part = { net: 0, tax: 0 };

export function billParts(bill: Bill, lines: readonly BilledLine[]): { lines: Part[]; shipping: Part; serviceCharge: Part } {
  const totals = lines.map(({ unitPrice, quantity }) => unitPrice * quantity);
  const shares = allocate(bill.discount, totals);
  const charge = bill.serviceCharge?.amount ?? 0;
  const nets = [...totals.map((total, index) => total - (shares[index] ?? 0)), bill.shipping, charge];
  const { lineTaxes = [] } = bill;
  const known = [...lines, part].map((_, index) => taxOf(lineTaxes[index]?.taxes));
  const taxes = [...known, taxOf(bill.serviceCharge?.taxes)];
  // Bills from before each line's tax was stored have their sum alone.
  const used = sum(taxes) === bill.tax ? taxes : allocate(bill.tax, nets);
  const [serviceCharge, shipping, ...ofLines] = nets.map((net, index) => ({ net, tax: used[index] ?? 0 })).reverse();
  return { lines: ofLines.reverse(), shipping: shipping ?? part, serviceCharge: serviceCharge ?? part };
}

/** What one refund after another has of a part, so that the last unit takes what rounding left. */
function unitsOf({ net, tax }: Part, from: number, to: number, quantity: number): number {
  const upTo = (units: number) => mulDivHalfUp(net, units, quantity) + mulDivHalfUp(tax, units, quantity);
  return upTo(to) - upTo(from);
}

/** How many units of a line earlier refunds cover. */
export function refundedUnits(covers: readonly RefundCovers[], line: string): number {
  return sum(covers.flatMap((each) => each.lines.flatMap((one) => (one.line === line ? one.quantity : []))));
}

export function refundableOf(bill: Bill, lines: readonly BilledLine[], done: readonly RefundCovers[]): Refundable {
  const parts = billParts(bill, lines);
  const rest = (name: 'shipping' | 'serviceCharge') => (done.some((each) => each[name]) ? 0 : parts[name].net + parts[name].tax);
  return {
    lines: lines.map(({ id, quantity }, index) => {
      const from = refundedUnits(done, id);
      const left = Math.max(0, quantity - from);
      const amount = (_: unknown, more: number) => unitsOf(parts.lines[index] ?? part, from, from + more + 1, quantity);
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
export function refundAmount(left: Refundable, { lines, shipping = false, serviceCharge = false }: RefundCovers): number {
  const merged = Map.groupBy(lines, ({ line }) => line);
  const amounts = [...merged].map(([line, wanted]) => {
    const quantity = sum(wanted.map((each) => each.quantity));
    const amount = left.lines.find((each) => each.line === line)?.amounts[quantity - 1];
    if (amount === undefined) throw new OperationError('error.refund.units');
    return amount;
  });
  return sum(amounts) + (shipping ? left.shipping : 0) + (serviceCharge ? left.serviceCharge : 0);
}
