import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';

export type OrderChange =
  | { kind: 'gone'; line: LineItem }
  | { kind: 'fewer'; line: LineItem; left: number }
  | { kind: 'price'; line: LineItem; now: number; before: number }
  | { kind: 'quantity'; line: LineItem; now: number; before: number }
  /** `why`, in the customer's language; '' if the coupon was removed. */
  | { kind: 'couponGone'; code: string; why: string }
  | { kind: 'couponNew'; code: string }
  | { kind: BillPart; now: number; before: number };

const billParts = ['discount', 'shipping', 'tax', 'tip', 'total'] as const;
type BillPart = (typeof billParts)[number];

type Seen = Pick<Order, 'lineItems' | 'bill'>;

export function orderChanges(before: Seen, now: Seen): OrderChange[] {
  const changes = before.lineItems.flatMap((line) => lineChanges(line, now.lineItems));
  const added = now.lineItems.filter(({ id }) => !before.lineItems.some((line) => line.id === id));
  return [
    ...changes,
    ...added.map((line): OrderChange => ({ kind: 'quantity', line, now: line.quantity, before: 0 })),
    ...couponChanges(before.bill, now.bill),
    ...billParts.flatMap((part) => billChange(part, before.bill, now.bill)),
  ];
}

/** The order cannot be placed as it is: an item is no longer available. */
export function isBlocked(changes: readonly OrderChange[]): boolean {
  return changes.some(({ kind }) => kind === 'gone' || kind === 'fewer');
}

function lineChanges(before: LineItem, lines: readonly LineItem[]): OrderChange[] {
  const now = lines.find(({ id }) => id === before.id);
  if (!now) return [{ kind: 'quantity', line: before, now: 0, before: before.quantity }];
  const changes: OrderChange[] = [];
  if (now.inventoryProcessingStatus === 'notAvailable' || now.inventoryProcessingStatus === 'processingFailed') {
    changes.push(
      now.obtainable > 0 && now.obtainable < now.quantity
        ? { kind: 'fewer', line: now, left: now.obtainable }
        : { kind: 'gone', line: now },
    );
  }
  if (now.quantity !== before.quantity) changes.push({ kind: 'quantity', line: now, now: now.quantity, before: before.quantity });
  if (now.unitPrice !== before.unitPrice)
    changes.push({ kind: 'price', line: now, now: now.unitPrice, before: before.unitPrice });
  return changes;
}

/** The coupon expired, was used up or no longer applies to the cart; or it was replaced in another tab. */
function couponChanges({ couponCode: before }: Bill, { couponCode: now, coupon }: Bill): OrderChange[] {
  if (before === now) return [];
  const why = coupon?.code === before ? coupon?.message : undefined;
  return [
    ...(before === null ? [] : [{ kind: 'couponGone', code: before, why: why ?? '' } as const]),
    ...(now === null ? [] : [{ kind: 'couponNew', code: now } as const]),
  ];
}

function billChange(part: BillPart, before: Bill, now: Bill): OrderChange[] {
  return before[part] === now[part] ? [] : [{ kind: part, now: now[part], before: before[part] }];
}
