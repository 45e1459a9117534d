/** What an order brings to its pickup time: when its lines are served, and what it takes of the limits of menus. */
import { isServedAt, type Menu } from '#contract/rules/menus.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { minuteMs } from '#server/platform/durations.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { deleteMenuUnits, insertMenuUnits, type MenuUnitsRow, menuUnitsBetween } from './pickup.repository.ts';

export interface SlotUse {
  /** For each part of a line that is on menus, those that serve it. */
  served: readonly (readonly Menu[])[];
  /** Menus with a limit, and the units of the order that count. */
  limited: readonly { menu: Menu; units: number }[];
}

export const usesNothing: SlotUse = { served: [], limited: [] };

/** Further than the longest window of a limit, ms. */
const windowMs = 60 * minuteMs;

/** The rows that the limits of pickup times from `from` to before `until` depend on. */
export function menuUnitsAround(db: Reader, storeId: string, from: number, until: number): Promise<MenuUnitsRow[]> {
  return menuUnitsBetween(db, storeId, from - windowMs, until + windowMs);
}

/** Why an order cannot be picked up then as far as menus decide, or null if it can. */
export function menuReason(
  { served, limited }: SlotUse,
  at: number,
  timeZone: string,
  taken: readonly MenuUnitsRow[],
): 'notServed' | 'tooMany' | 'full' | null {
  const clock = wallClock(at, timeZone);
  if (served.some((menus) => !menus.some((menu) => isServedAt(menu, clock)))) return 'notServed';
  const rooms = limited.map(({ menu, units }) => room(menu, units, at, taken));
  return rooms.includes('tooMany') ? 'tooMany' : rooms.includes('full') ? 'full' : null;
}

function room(menu: Menu, units: number, at: number, taken: readonly MenuUnitsRow[]): 'tooMany' | 'full' | null {
  const { limit } = menu;
  if (!limit) return null;
  const start = windowStart(menu, at);
  const end = start + limit.minutes * minuteMs;
  const rows = taken.filter((row) => row.menu === menu.id && row.slot_at >= start && row.slot_at < end);
  const counted = limit.of === 'orders' ? rows.length : rows.reduce((sum, row) => sum + row.units, 0);
  const own = limit.of === 'orders' ? 1 : units;
  if (own > limit.most) return 'tooMany';
  return counted + own > limit.most ? 'full' : null;
}

function windowStart({ limit }: Menu, at: number): number {
  return at - (at % ((limit?.minutes ?? 1) * minuteMs));
}

/** Counts an order for its pickup time. Returns false if a menu has no room for it, unless with `force`. */
export async function takeMenuUnits(
  db: Database,
  trx: Trx,
  { orderId, storeId, at }: { orderId: string; storeId: string; at: number },
  use: SlotUse,
  force = false,
): Promise<boolean> {
  if (use.limited.length === 0) return true;
  // In one order, so that two orders for the same menus cannot deadlock. A row could not be locked: there may be none yet.
  for (const key of use.limited.map(({ menu }) => `menu ${storeId} ${menu.id} ${windowStart(menu, at)}`).sort())
    await db.queries.lock(trx, key);
  await deleteMenuUnits(trx, orderId);
  const taken = await menuUnitsAround(trx, storeId, at, at + 1);
  if (!force && use.limited.some(({ menu, units }) => room(menu, units, at, taken) !== null)) return false;
  const rows = use.limited.map(({ menu, units }) => ({
    order_id: orderId,
    menu: menu.id,
    store_id: storeId,
    slot_at: at,
    units,
  }));
  await insertMenuUnits(trx, rows);
  return true;
}
