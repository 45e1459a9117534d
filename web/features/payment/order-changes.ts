/** What is different between the order a shopper saw and the order as it now is. */
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';

export type OrderChange =
  | { kind: 'gone'; line: LineItem }
  | { kind: 'fewer'; line: LineItem; left: number }
  | { kind: 'price'; line: LineItem; now: number; before: number }
  | { kind: 'quantity'; line: LineItem; now: number; before: number }
  | { kind: 'discount' | 'shipping' | 'tax' | 'total'; now: number; before: number };

type Seen = Pick<Order, 'lineItems' | 'bill'>;

export function orderChanges(before: Seen, now: Seen): OrderChange[] {
  const changes = before.lineItems.flatMap((line) => lineChanges(line, now.lineItems));
  const added = now.lineItems.filter(({ sku }) => !before.lineItems.some((line) => line.sku === sku));
  const parts = (['discount', 'shipping', 'tax', 'total'] as const).flatMap((part) => billChange(part, before.bill, now.bill));
  return [...changes, ...added.map((line): OrderChange => ({ kind: 'quantity', line, now: line.quantity, before: 0 })), ...parts];
}

/** The order cannot be placed as it is: something in it can no longer be had. */
export function isBlocked(changes: readonly OrderChange[]): boolean {
  return changes.some(({ kind }) => kind === 'gone' || kind === 'fewer');
}

function lineChanges(before: LineItem, lines: readonly LineItem[]): OrderChange[] {
  const now = lines.find(({ sku }) => sku === before.sku);
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

function billChange(part: 'discount' | 'shipping' | 'tax' | 'total', before: Bill, now: Bill): OrderChange[] {
  return before[part] === now[part] ? [] : [{ kind: part, now: now[part], before: before[part] }];
}
