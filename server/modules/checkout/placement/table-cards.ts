/** The cards on tables: an order of a table carries the token of its card. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database, Reader } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import type { OrderHead, OrderSettings } from '#server/modules/orders/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { renewTableCardKey, tableCardKey } from '#server/platform/secrets/secrets.service.ts';

const tokenOf = (key: string, storeId: string, table: string) =>
  createHmac('sha256', key).update(`${storeId}\n${table}`).digest('base64url').slice(0, 16);

/**
 * The tokens of a store's cards, by number from 1 to `tables`. With `renew` the store gets a new key, and cards that carry tokens of
 * the former one are refused.
 */
export async function tableCardTokens(
  run: RunChange,
  db: Database,
  storeId: string,
  { tables, renew = false }: { tables: number; renew?: boolean },
): Promise<string[]> {
  const known = renew ? null : await tableCardKey(db.read, storeId);
  const make = ({ trx, note }: Change) => {
    note('tableCards', storeId);
    return renewTableCardKey(trx, storeId);
  };
  const key = known ?? (await run(make));
  return Array.from({ length: tables }, (_, index) => tokenOf(key, storeId, String(index + 1)));
}

/**
 * Checks the card of an order at a table: a token has to be valid, and has to be there if the shop requires it.
 * @throws {AppError} REQUEST_VALIDATION_ERROR
 */
export async function requireTableCard(
  db: Reader,
  { method, storeId, tableNumber, tableCard }: Pick<OrderHead, 'method' | 'storeId' | 'tableNumber' | 'tableCard'>,
  { tables }: OrderSettings,
): Promise<void> {
  if (method !== 'instore' || storeId === null || tableNumber === null) return;
  if (tableCard === null) {
    if (tables.cardRequired) throw validationError({ tableNumber: 'rule.tableCardMissing' });
    return;
  }
  const key = await tableCardKey(db, storeId);
  const expected = Buffer.from(key === null ? '' : tokenOf(key, storeId, tableNumber));
  const given = Buffer.from(tableCard);
  if (key === null || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw validationError({ tableNumber: 'rule.tableCardInvalid' });
}
