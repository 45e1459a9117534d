/** The cards on tables: an order of a table carries the token of its card. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  inLocale,
  type Locale,
  type LocalText,
  locales,
  localizePath,
  offeredLocales,
} from '#contract/locales.ts';
import type { TableCards } from '#contract/staff/stores.ts';
import type { Database, Reader } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import type { OrderHead, OrderSettings } from '#server/modules/orders/index.ts';
import type { Store, StoresService } from '#server/modules/stores/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { renewTableCardKey, tableCardKey } from '#server/platform/secrets/secrets.service.ts';

const tokenOf = (key: string, storeId: string, table: string) =>
  createHmac('sha256', key).update(`${storeId}\n${table}`).digest('base64url').slice(0, 16);

interface TokensWanted {
  tables: number;
  /** A new key for the store: cards that carry tokens of the former one are refused. */
  renew?: boolean;
  /** Only if the token of table 1 is still this one: somebody else may have renewed them since. */
  seen?: string;
}

/** The tokens of a store's cards, by number from 1 to `tables`. */
export async function tableCardTokens(
  run: RunChange,
  { db, stores }: { db: Database; stores: Pick<StoresService, 'lock'> },
  storeId: string,
  { tables, renew = false, seen }: TokensWanted,
): Promise<string[]> {
  const make = async ({ trx, note }: Change) => {
    await stores.lock(trx);
    const key = await tableCardKey(trx, storeId);
    const stays = key !== null && (!renew || (seen !== undefined && seen !== tokenOf(key, storeId, '1')));
    note('tableCards', storeId, stays ? [] : undefined);
    return stays ? key : renewTableCardKey(trx, storeId);
  };
  const known = renew ? null : await tableCardKey(db.read, storeId);
  const key = known ?? (await run(make));
  return Array.from({ length: tables }, (_, index) => tokenOf(key, storeId, String(index + 1)));
}

/** What is printed on the cards of a store's tables, wherever the shop is. */
export type PrintedCards = Omit<TableCards, 'publicUrl'>;

export function tableCardsOf(
  {
    shopName,
    store,
    menu,
    locale,
  }: { shopName: LocalText; store: Pick<Store, 'id' | 'name'>; menu: string; locale: Locale },
  tokens: readonly string[],
): PrintedCards {
  const languages = [locale, ...offeredLocales().filter((code) => code !== locale)];
  const menuPath = localizePath(`/table/${encodeURIComponent(menu)}`, locale);
  return {
    shopName: inLocale(shopName, locale),
    storeName: inLocale(store.name, locale),
    scan: languages.map((code) => ({
      lang: locales[code].tag,
      text: translate(code)('mail.tableCard.scan'),
    })),
    cards: tokens.map((token, index) => {
      const table = String(index + 1);
      return {
        table: translate(locale)('account.order.table', { table }),
        token,
        path: `${menuPath}?${new URLSearchParams({ store: store.id, table, card: token })}`,
      };
    }),
  };
}

/**
 * Checks the card of an order at a table: a token has to be valid, and has to be there if the shop requires it.
 * @throws {AppError} REQUEST_VALIDATION_ERROR
 */
export async function requireTableCard(
  db: Reader,
  {
    method,
    storeId,
    tableNumber,
    tableCard,
  }: Pick<OrderHead, 'method' | 'storeId' | 'tableNumber' | 'tableCard'>,
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
