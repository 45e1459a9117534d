/**
 * The lines that a placed order is to have. A line that stays keeps its id and the price that was agreed, whatever its quantity and note;
 * one that is added, or gets other options or modifiers, costs what it costs now.
 */
import { randomUUID } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import { inEvery, inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { noteErrors, type Selection } from '#contract/rules/modifiers.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { LineChange } from '#contract/schemas/order.ts';
import type { Reader } from '#db/database.ts';
import type { LineDelta } from '#server/modules/notifications/index.ts';
import { OperationError, validationError } from '#server/platform/errors.ts';
import { type RefundCovers, refundedUnits } from './bill-parts.ts';
import { agreedParts, choiceErrors, identityOf, modifierTextOf, placeOf } from './line-units.ts';
import type { OrderHead, OrderLine } from './order.ts';
import { frozenLinesOf, type LiveLinesReader } from './order-lines.repository.ts';
import type { OrderSettings } from './order-settings.ts';
import { shipmentsOf } from './shipments.repository.ts';

export interface ChangedLines {
  before: readonly OrderLine[];
  after: readonly OrderLine[];
  /** Those of `after` that are new, or were chosen anew. */
  chosen: readonly OrderLine[];
  /** Those of `after` that are not as they were. */
  changed: readonly OrderLine[];
  deltas: readonly LineDelta[];
}

interface Places {
  order: OrderHead;
  settings: OrderSettings;
  liveLines: LiveLinesReader;
  locale: Locale;
}

/**
 * @param refunded what refunds cover: those units stay on the bill, which their refund has lowered already
 * @throws {AppError} for choices that cannot be ordered, at `lines.<index>` @throws {OperationError} for changes that cannot be made
 */
export async function changedLines(
  reader: Reader,
  places: Places,
  changes: readonly LineChange[],
  refunded: readonly RefundCovers[],
): Promise<ChangedLines> {
  const number = places.order.number ?? '';
  const before = (await frozenLinesOf(reader, places.order.id)).map(agreedParts);
  const chosen = new Set<string>();
  const wanted = new Map(before.map((line) => [line.id, line]));
  for (const [index, change] of changes.entries()) {
    const present = change.line === undefined ? undefined : wanted.get(change.line);
    if (change.line !== undefined && !present) throw new OperationError('error.order.changed', { number });
    const line = await changedLine(reader, places, present, change, `lines.${index}`);
    if (
      line.unitPrice !== present?.unitPrice ||
      line.sku !== present.sku ||
      line.modifiers !== present.modifiers
    )
      chosen.add(line.id);
    wanted.set(line.id, line);
  }
  const after = merged([...wanted.values()], chosen);
  for (const [index, { quantity }] of after.entries())
    rejectErrors(quantityErrors(quantity), `lines.${index}`);
  if (after.length === 0) throw new OperationError('error.order.noLines', { number });
  if (after.length > limits.cartLinesMax)
    throw new OperationError('error.order.manyLines', { count: limits.cartLinesMax });
  const kept = new Map(after.map((line) => [line.id, line]));
  const shipped = await shipmentsOf(reader, places.order.id);
  for (const line of before) {
    // Which of them were refunded nobody knows, so they count beside those that were shipped.
    const units = Math.min(line.quantity, refundedUnits(refunded, line.id) + refundedUnits(shipped, line.id));
    const now = kept.get(line.id);
    if (units > (now?.quantity ?? 0) || (units > 0 && chosen.has(line.id)))
      throw new OperationError('error.order.lineGone', {
        product: inLocale(line.name, places.locale),
        count: units,
      });
  }
  const known = new Map(before.map((line) => [line.id, line]));
  const changed = after.filter((line) => !isSame(known.get(line.id), line));
  if (changed.length === 0 && after.length === before.length)
    throw new OperationError('error.order.sameLines', { number });
  return {
    before,
    after,
    chosen: after.filter(({ id }) => chosen.has(id)),
    changed,
    deltas: deltasOf(before, changed, kept),
  };
}

async function changedLine(
  reader: Reader,
  { order, settings, liveLines, locale }: Places,
  present: OrderLine | undefined,
  {
    sku = present?.sku ?? '',
    quantity = present?.quantity ?? 1,
    modifiers,
    note = present?.note ?? '',
  }: LineChange,
  at: string,
): Promise<OrderLine> {
  const place = placeOf(order, settings);
  rejectErrors(noteErrors(note), at);
  const text = note.replace(/\s+/g, ' ').trim();
  if (present && sku === present.sku && (!modifiers || isSameChoice(present, modifiers))) {
    const identity = text === present.note ? present.identity : identityOf(sku, present.modifiers, text);
    return { ...present, quantity, note: text, identity };
  }
  const selections = modifiers ?? (present?.modifiers.length ? present.modifiers : undefined);
  const { fresh } = await liveLines.with(reader, order.id, sku, { modifiers: selections, note: text, place });
  if (!fresh?.offered) throw validationError({ [`${at}.sku`]: 'error.order.notOffered' });
  rejectErrors(choiceErrors(fresh, place, locale), at);
  return { ...fresh, id: present?.id ?? randomUUID(), quantity };
}

const isSameChoice = ({ sku, modifiers }: OrderLine, selections: readonly Selection[]) =>
  identityOf(sku, modifiers, '') === identityOf(sku, selections, '');

function rejectErrors(errors: Record<string, unknown>, at: string): void {
  const named = Object.entries(errors).map(([field, error]) => [`${at}.${field}`, error] as const);
  if (named.length > 0)
    throw validationError(Object.fromEntries(named) as Parameters<typeof validationError>[0]);
}

/** A line that is the same as another adds its units to that one, at the price that was agreed, if there is one. */
function merged(lines: readonly OrderLine[], chosen: ReadonlySet<string>): OrderLine[] {
  const left = lines.filter(({ quantity }) => quantity > 0);
  const all = Map.groupBy(left, ({ identity }) => identity);
  return [...all.values()].flatMap((same) => {
    const kept = same.find(({ id }) => !chosen.has(id)) ?? same[0];
    return kept ? { ...kept, quantity: same.reduce((sum, { quantity }) => sum + quantity, 0) } : [];
  });
}

const isSame = (a: OrderLine | undefined, b: OrderLine) =>
  a !== undefined && a.quantity === b.quantity && a.identity === b.identity && a.unitPrice === b.unitPrice;

/** A line that is chosen anew is one that goes and one that comes. */
function deltasOf(
  before: readonly OrderLine[],
  changed: readonly OrderLine[],
  kept: ReadonlyMap<string, OrderLine>,
): LineDelta[] {
  const known = new Map(before.map((line) => [line.id, line]));
  const isOther = (a: OrderLine, b: OrderLine) => a.sku !== b.sku || !isSameChoice(a, b.modifiers);
  const removed = before.filter((line) => {
    const now = kept.get(line.id);
    return !now || isOther(line, now);
  });
  return [
    ...removed.map((line) => deltaOf(line, line.quantity, 0)),
    ...changed.map((line) => {
      const was = known.get(line.id);
      return deltaOf(line, was && !isOther(was, line) ? was.quantity : 0, line.quantity);
    }),
  ];
}

function deltaOf(
  { id, sku, name, optionText, modifiers, unitPrice }: OrderLine,
  from: number,
  to: number,
): LineDelta {
  const text = (locale: Locale) =>
    [inLocale(optionText, locale), modifierTextOf(modifiers, locale)].filter(Boolean).join(' · ');
  return { line: id, sku, name, text: inEvery(text) satisfies LocalText, unitPrice, from, to };
}
