/** Several lines of a cart at once, as an agent or a link names them: read, checked and written in one go. */

import type { Locale } from '#contract/locales.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { ModifierSelection } from '#contract/schemas/modifiers.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { chosenColumns, placeOf } from '../order/line-units.ts';
import type { OrderHead, OrderLine } from '../order/order.ts';
import { changeLine, deleteLine } from './cart.repository.ts';
import { addFresh, chosenErrors, rejectErrors, SoldOut } from './line-rules.ts';
import { type CartDeps, type CartTerms, changeCart, openCart } from './open-cart.ts';

export interface WantedLine {
  /** Of a line that is there. */
  id?: string;
  sku: string;
  quantity: number;
  modifiers?: ModifierSelection[];
  note?: string;
}

export interface ReplacedLines {
  order: Order;
  /** Why lines cannot be had, by their places in what was wanted. */
  refused: ReadonlyMap<number, AppError>;
}

/** Rolls back a cart that would be started with nothing in it. */
class NothingAdded extends Error {
  readonly refused: ReplacedLines['refused'];

  constructor(refused: ReplacedLines['refused']) {
    super();
    this.refused = refused;
  }
}

/**
 * The lines that are wanted are in the cart afterwards, as far as they can be had. Lines that are not named are removed, unless they
 * are kept (`keeps`): then a line of which there are units already stays as it is, so that asking twice adds nothing twice.
 */
export async function replaceLines(
  deps: CartDeps,
  session: SessionHandle,
  wanted: readonly WantedLine[],
  locale: Locale,
  { keeps = false }: { keeps?: boolean } = {},
): Promise<ReplacedLines> {
  const { db, orders, holds } = deps;
  const settings = await orders.settings();
  const buyer = await session.get();
  const empty = () => orders.view(db.read, null, settings, locale);
  if (!buyer && wanted.length === 0) return { order: await empty(), refused: new Map() };
  const replace = async (): Promise<ReplacedLines> => {
    let refused = new Map<number, AppError>();
    const work = async (trx: Trx) => {
      const cart = await openCart(deps, trx, await session.ensure(trx), { settings, locale });
      refused = await replaceIn(deps, trx, cart, wanted, { settings, locale, keeps });
      return orders.view(trx, cart, settings, locale);
    };
    try {
      return { order: await changeCart(deps, session, work), refused };
    } catch (error) {
      if (error instanceof NothingAdded) return { order: await empty(), refused: error.refused };
      throw error;
    }
  };
  const first = await replace();
  // A hold that has run out may free what is missing.
  const isSoldOut = [...first.refused.values()].some((each) => each instanceof SoldOut);
  return isSoldOut && (await holds.expireHolds()) > 0 ? replace() : first;
}

async function replaceIn(
  { orders }: CartDeps,
  trx: Trx,
  cart: OrderHead,
  wanted: readonly WantedLine[],
  { keeps, ...terms }: CartTerms & { keeps: boolean },
): Promise<Map<number, AppError>> {
  const refused = new Map<number, AppError>();
  const attempt = async (index: number, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      refused.set(index, error);
    }
  };
  const before = await orders.lines(trx, cart);
  const open = [...before];
  const pairs = wanted.map((want, index) => {
    const at = keeps ? -1 : open.findIndex((line) => isSame(line, want, wanted));
    return { want, index, line: at < 0 ? undefined : open.splice(at, 1)[0] };
  });
  if (!keeps) for (const { id } of open) await deleteLine(trx, id);
  const place = placeOf(cart, terms.settings);
  const wishOf = ({ modifiers, note }: WantedLine) => ({ modifiers, note, place });
  const known = pairs.flatMap(({ line, ...pair }) => (line ? [{ ...pair, line }] : []));
  const added = pairs.filter(({ line }) => !line);
  const rechosen = known.filter(({ want }) => want.modifiers !== undefined || want.note !== undefined);
  const { lines, stock, fresh } = await orders.liveLines.withAll(
    trx,
    cart.id,
    added.map(({ want }) => ({ ...wishOf(want), sku: want.sku })),
    new Map(
      rechosen.map(({ line, want }) => [
        line.id,
        { ...wishOf(want), modifiers: want.modifiers ?? line.choice?.selections },
      ]),
    ),
  );
  const all = new Map(lines.map((line) => [line.id, line]));
  for (const { want, index, line } of known)
    await attempt(index, () =>
      changeTo(trx, all, line.id, want, rechosen.some((each) => each.line === line) ? place : null, terms),
    );
  for (const [at, { want, index }] of added.entries())
    await attempt(index, async () => {
      const line = fresh[at];
      if (!line?.offered) throw notFound();
      rejectErrors(quantityErrors(want.quantity));
      rejectErrors(chosenErrors(line, want, place, terms.locale));
      const same = [...all.values()].find(({ identity }) => identity === line.identity);
      if (keeps && same && before.some(({ id }) => id === same.id)) return;
      const there = await addFresh(
        trx,
        cart.id,
        { lines: [...all.values()], line: same ?? line, stock, quantity: want.quantity },
        terms,
      );
      all.set(there.id, there);
    });
  if (before.length === 0 && all.size === 0) throw new NothingAdded(refused);
  return refused;
}

/** Gives a line the quantity and, with a `place`, the choice that are wanted; one that is then the same as another goes into it. */
async function changeTo(
  trx: Trx,
  all: Map<string, OrderLine>,
  id: string,
  want: WantedLine,
  place: ReturnType<typeof placeOf> | null,
  { locale }: CartTerms,
): Promise<void> {
  const line = all.get(id);
  if (!line) throw notFound();
  const { quantity } = want;
  rejectErrors(quantityErrors(quantity));
  if (place === null) {
    if (line.quantity !== quantity) await changeLine(trx, id, { quantity });
    return;
  }
  rejectErrors(chosenErrors(line, want, place, locale));
  const same = [...all.values()].find((each) => each.id !== id && each.identity === line.identity);
  if (!same) return changeLine(trx, id, { sku: line.sku, ...chosenColumns(line), quantity });
  rejectErrors(quantityErrors(quantity, same.quantity));
  await deleteLine(trx, id);
  all.delete(id);
  await changeLine(trx, same.id, { quantity: same.quantity + quantity });
  all.set(same.id, { ...same, quantity: same.quantity + quantity });
}

/** The line that is meant: by its id, or the plain line of its SKU. */
function isSame(
  line: OrderLine,
  { id, sku, modifiers, note }: WantedLine,
  wanted: readonly WantedLine[],
): boolean {
  if (line.sku !== sku) return false;
  if (id !== undefined && line.id === id) return true;
  const isNamed = wanted.some((each) => each.id === line.id);
  return !isNamed && modifiers === undefined && note === undefined;
}
