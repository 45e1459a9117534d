import type { Selectable } from 'kysely';
import type { CouponKind } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { CouponsTable } from '#db/order-tables.ts';
import type { Coupon, CouponBuyer, CouponUses } from '#server/modules/pricing/index.ts';

type CouponRow = Selectable<CouponsTable>;

export interface StoredCoupon {
  coupon: Coupon;
  used: number;
}

export async function findCoupon(db: Reader, key: string): Promise<StoredCoupon | null> {
  const row = await db.selectFrom('coupons').selectAll().where('code_key', '=', key).executeTakeFirst();
  return row ? toStored(row) : null;
}

/** Reads a coupon and locks its uses until the transaction ends. */
export async function lockCoupon(trx: Trx, key: string): Promise<StoredCoupon | null> {
  const row = await trx
    .updateTable('coupons')
    .set((eb) => ({ used: eb.ref('used') }))
    .where('code_key', '=', key)
    .returningAll()
    .executeTakeFirst();
  return row ? toStored(row) : null;
}

/** Uses of other orders by the same customer or the same mailbox. */
export async function countOwnUses(
  db: Reader,
  key: string,
  orderId: string,
  buyer: CouponBuyer,
): Promise<number> {
  const { customerId, emailHashes } = buyer;
  if (customerId === null && emailHashes.length === 0) return 0;
  const row = await db
    .selectFrom('coupon_uses')
    .select((eb) => eb.fn.countAll<number | string>().as('uses'))
    .where('code_key', '=', key)
    .where('order_id', '!=', orderId)
    .where((eb) =>
      eb.or([
        ...(customerId === null ? [] : [eb('customer_id', '=', customerId)]),
        ...(emailHashes.length === 0 ? [] : [eb('email_hash', 'in', emailHashes)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(row.uses);
}

/** Adds a use. Returns false, with nothing written, if the coupon's total limit is reached. */
export async function insertUse(
  trx: Trx,
  { key, orderId, at }: { key: string; orderId: string; at: number },
  buyer: CouponBuyer,
): Promise<boolean> {
  const counted = await trx
    .updateTable('coupons')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('code_key', '=', key)
    .where((eb) => eb.or([eb('total_limit', 'is', null), eb('used', '<', eb.ref('total_limit'))]))
    .executeTakeFirst();
  if (counted.numUpdatedRows === 0n) return false;
  await trx
    .insertInto('coupon_uses')
    .values({
      order_id: orderId,
      code_key: key,
      customer_id: buyer.customerId,
      email_hash: buyer.emailHashes[0] ?? null,
      state: 'held',
      taken_at: at,
    })
    .execute();
  return true;
}

export async function confirmUse(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('coupon_uses').set({ state: 'used' }).where('order_id', '=', orderId).execute();
}

export async function findUse(db: Reader, orderId: string): Promise<string | null> {
  const row = await db
    .selectFrom('coupon_uses')
    .select('code_key')
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row?.code_key ?? null;
}

/** Deletes a use. The coupon is locked first, as when one is added, so that the two cannot deadlock. */
export async function deleteUse(trx: Trx, orderId: string): Promise<void> {
  const key = await findUse(trx, orderId);
  if (key === null) return;
  await lockCoupon(trx, key);
  const gone = await trx.deleteFrom('coupon_uses').where('order_id', '=', orderId).executeTakeFirst();
  if (gone.numDeletedRows === 0n) return;
  await trx
    .updateTable('coupons')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('code_key', '=', key)
    .execute();
}

/** The whole coupon, but for its code and its uses. */
export async function putCoupon(trx: Trx, key: string, coupon: Coupon): Promise<void> {
  await trx.updateTable('coupons').set(columnsOf(coupon)).where('code_key', '=', key).execute();
}

/** One that was never used. */
export async function deleteCoupon(trx: Trx, key: string): Promise<void> {
  await trx.deleteFrom('coupons').where('code_key', '=', key).execute();
}

/** Until the transaction ends, nobody else edits one. */
export const lockCoupons = (db: Database, trx: Trx): Promise<void> => db.queries.lock(trx, 'coupons');

/** False if there is a coupon of this code already. */
export async function insertCoupon(trx: Trx, key: string, coupon: Coupon, at: number): Promise<boolean> {
  const result = await trx
    .insertInto('coupons')
    .values({
      code_key: key,
      code: coupon.code,
      ...columnsOf(coupon),
      used: 0,
      created_at: at,
    })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export interface CouponCount {
  coupon: Coupon;
  uses: Pick<CouponUses, 'total'> & { held: number };
}

/** All coupons, newest first, with the number of their uses and of those only held. */
export async function allCoupons(db: Reader): Promise<CouponCount[]> {
  const rows = await db
    .selectFrom('coupons')
    .selectAll('coupons')
    .select((eb) =>
      eb
        .selectFrom('coupon_uses')
        .select((e) => e.fn.countAll<number | string>().as('held'))
        .whereRef('coupon_uses.code_key', '=', 'coupons.code_key')
        .where('coupon_uses.state', '=', 'held')
        .as('held'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('code_key')
    .execute();
  return rows.map((row) => ({
    coupon: toStored(row).coupon,
    uses: { total: row.used, held: Number(row.held ?? 0) },
  }));
}

function columnsOf(coupon: Coupon) {
  return {
    name: JSON.stringify(coupon.name),
    kind: coupon.kind,
    percent: coupon.percent,
    amount_cents: coupon.amount,
    min_subtotal_cents: coupon.minSubtotal,
    countries: JSON.stringify(coupon.countries),
    products: JSON.stringify(coupon.products),
    categories: JSON.stringify(coupon.categories),
    starts_at: coupon.startsAt,
    ends_at: coupon.endsAt,
    total_limit: coupon.totalLimit,
    customer_limit: coupon.customerLimit,
  };
}

function toStored(row: CouponRow): StoredCoupon {
  return {
    coupon: {
      code: row.code,
      name: JSON.parse(row.name),
      // Written only from `CouponKind`, by CHECK.
      kind: row.kind as CouponKind,
      percent: row.percent,
      amount: row.amount_cents,
      minSubtotal: row.min_subtotal_cents,
      countries: JSON.parse(row.countries),
      products: JSON.parse(row.products),
      categories: JSON.parse(row.categories),
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      totalLimit: row.total_limit,
      customerLimit: row.customer_limit,
    },
    used: row.used,
  };
}
