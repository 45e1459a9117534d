/** Audits a shop: its own books against each other, and against those of the payment providers. */
import type { Bill } from '#contract/schemas/order.ts';
import { unitsOf } from './shop-actions.ts';
import type { TestApp } from './test-app.ts';

/** What a provider has taken by an attempt, and given back of it, in cents. */
export interface Taken {
  amount: number;
  refunded: number;
}

/** What a provider has taken, by reference; attempts that took nothing are not in it. */
export type Ledger = () => Map<string, Taken> | Promise<Map<string, Taken>>;

export interface LedgerAudit {
  /**
   * Everything that does not add up, in words; empty where all does. `settled`: nothing may be open any more.
   * Asked for while requests are under way it would see them half done.
   */
  complaints(settled?: boolean): Promise<string[]>;
}

/** Orders whose money and goods are counted as sold. */
const sold = ['placed', 'ready', 'shipped', 'completed'];

/**
 * Notes how the shop stands now; what was there before is not audited. `ledgers` by the providers' names,
 * `skus` whose units must neither grow nor shrink.
 */
export async function openLedgerAudit(
  testApp: Pick<TestApp, 'db'>,
  ledgers: Record<string, Ledger>,
  skus: readonly string[],
): Promise<LedgerAudit> {
  const read = testApp.db.read;
  const ordersNow = () => read.selectFrom('orders').selectAll().execute();
  const paymentsNow = () => read.selectFrom('payments').selectAll().execute();
  const unitsNow = () => Promise.all(skus.map((sku) => unitsOf(read, sku)));
  const placedBefore = new Set(
    (await ordersNow()).filter(({ placed_at }) => placed_at !== null).map(({ id }) => id),
  );
  const paymentsBefore = new Set((await paymentsNow()).map(({ id }) => id));
  const unitsBefore = await unitsNow();

  return {
    async complaints(settled = true) {
      const found: string[] = [];
      const check = (holds: boolean, complaint: string) => void (holds || found.push(complaint));
      const orders = new Map(
        (await ordersNow()).filter(({ id }) => !placedBefore.has(id)).map((order) => [order.id, order]),
      );
      const payments = (await paymentsNow()).filter(({ id }) => !paymentsBefore.has(id));
      const refunds = await read.selectFrom('refunds').selectAll().execute();
      const taken = new Map<string, Taken>();
      for (const [provider, ledger] of Object.entries(ledgers))
        for (const [reference, charge] of await ledger()) taken.set(`${provider} ${reference}`, charge);

      // Charges: each is of one payment, which knows what was taken and given back.
      for (const payment of payments) {
        const { id, state, amount_cents: amount } = payment;
        const charge = taken.get(`${payment.provider} ${payment.provider_reference}`);
        const order = orders.get(payment.order_id);
        const open = ['pending', 'lapsed', 'refundDue'].includes(state);
        check(!(settled && open), `payment ${id} is still ${state}`);
        if (!charge) {
          check(
            ['failed', 'pending', 'lapsed'].includes(state),
            `payment ${id} is ${state}, and nothing was taken`,
          );
          continue;
        }
        check(charge.amount === amount, `payment ${id} is of ${amount}, and ${charge.amount} was taken`);
        check(charge.refunded <= charge.amount, `payment ${id}: more given back than taken`);
        check(state !== 'failed', `payment ${id} has failed, and was taken`);
        if (state === 'succeeded')
          check(order?.placed_at != null, `payment ${id} succeeded without an order`);
        if (state === 'refunded')
          check(charge.refunded === amount, `payment ${id} is refunded in the books only`);
        if (!settled) continue;
        const own = refunds.filter(({ payment_id, state: how }) => payment_id === id && how === 'done');
        const given = own.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        check(
          charge.refunded === given,
          `payment ${id}: ${given} given back by the books, ${charge.refunded} in truth`,
        );
        check(
          payment.refunded_cents === given,
          `payment ${id}: ${payment.refunded_cents} set aside, ${given} given back`,
        );
      }

      // Orders: each was paid once, confirmed once, and its bill adds up.
      const mails = await read
        .selectFrom('deliveries')
        .select('body')
        .where('kind', '=', 'orderConfirmation')
        .execute();
      const uses = await read.selectFrom('coupon_uses').selectAll().execute();
      const lines = await read.selectFrom('order_lines').selectAll().execute();
      for (const order of orders.values()) {
        const { id, state } = order;
        check(!(settled && state === 'paying'), `order ${id} is still being paid`);
        const use = uses.filter(({ order_id }) => order_id === id);
        if (order.placed_at === null) {
          check(state === 'paying' || use.length === 0, `order ${id} is ${state} and has a coupon's use`);
          continue;
        }
        const paid = payments.filter((payment) => payment.order_id === id && payment.state === 'succeeded');
        const wanted = order.total_cents === 0 ? 0 : 1;
        check(
          order.pay_at_store === 1 || paid.length === wanted,
          `order ${id} is ${state} and was paid ${paid.length} times`,
        );
        const confirmed = mails.filter(
          ({ body }) => (JSON.parse(body) as { orderId?: string }).orderId === id,
        );
        check(confirmed.length === 1, `order ${id} was confirmed by ${confirmed.length} mails`);
        const bill = JSON.parse(order.bill ?? 'null') as Bill | null;
        if (!bill) {
          found.push(`order ${id} was placed without a bill`);
          continue;
        }
        const own = lines.filter(({ order_id }) => order_id === id);
        const goods = own.reduce(
          (sum, { quantity, unit_price_cents }) => sum + quantity * (unit_price_cents ?? Number.NaN),
          0,
        );
        check(goods === bill.subtotal, `order ${id}: lines of ${goods} are billed as ${bill.subtotal}`);
        const tax = bill.taxLines.reduce((sum, { amount }) => sum + amount, 0);
        check(tax === bill.tax, `order ${id}: taxes of ${tax} are billed as ${bill.tax}`);
        const total = bill.subtotal - bill.discount + bill.shipping + bill.tax + bill.tip;
        check(
          total === bill.total && total === order.total_cents,
          `order ${id}: ${total} is billed as ${bill.total}`,
        );
        for (const part of [bill.discount, bill.shipping, bill.tax, bill.tip, bill.subtotal - bill.discount])
          check(part >= 0, `order ${id} has a negative part in its bill`);
        for (const { amount_cents } of paid)
          check(amount_cents === total, `order ${id} of ${total} was paid by ${amount_cents}`);
        const due = sold.includes(state) && bill.coupon ? 1 : 0;
        check(
          use.length === due,
          `order ${id} is ${state} with ${use.length} uses of a coupon instead of ${due}`,
        );
        check(
          !settled || use.every(({ state: how }) => how === 'used'),
          `order ${id} holds a coupon without end`,
        );
        if (due)
          check(
            use[0]?.code_key === bill.coupon?.code.toUpperCase(),
            `order ${id} uses another coupon than its bill`,
          );
      }
      const numbers = [...orders.values()].flatMap(({ order_number }) => order_number ?? []);
      check(new Set(numbers).size === numbers.length, 'an order number was given twice');
      const ofPayments = new Set(
        payments.map(({ provider, provider_reference }) => `${provider} ${provider_reference}`),
      );
      const strays = await strayReferences(
        testApp,
        [...taken.keys()].filter((key) => !ofPayments.has(key)),
      );
      for (const key of strays) found.push(`${key} was taken for nothing the shop knows`);

      // Coupons: as many uses as are counted, and no more than there may be.
      for (const { code_key: key, used, total_limit: most, customer_limit: each } of await read
        .selectFrom('coupons')
        .selectAll()
        .execute()) {
        const own = uses.filter(({ code_key }) => code_key === key);
        check(used === own.length, `coupon ${key} counts ${used} uses and has ${own.length}`);
        check(most === null || own.length <= most, `coupon ${key} has ${own.length} uses of ${most}`);
        const people = Map.groupBy(own, ({ customer_id, email_hash }) => customer_id ?? email_hash);
        for (const [person, had] of people)
          check(
            each === null || person === null || had.length <= each,
            `coupon ${key} was had ${had.length} times by one`,
          );
      }

      // Goods: neither made nor lost, and none promised for nobody.
      (await unitsNow()).forEach((units, index) => {
        const all = unitsBefore[index]?.all;
        check(units.all === all, `${skus[index]}: ${units.all} units where there were ${all}`);
        check(
          Math.min(units.stock, units.held, units.sold) >= 0,
          `${skus[index]}: a negative number of units`,
        );
        check(!settled || units.held === 0, `${skus[index]}: ${units.held} are held for nobody`);
      });
      return found;
    },
  };
}

/** Of references that are of no payment made since, those that are of none at all. */
async function strayReferences({ db }: Pick<TestApp, 'db'>, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await db.read.selectFrom('payments').select(['provider', 'provider_reference']).execute();
  const known = new Set(rows.map(({ provider, provider_reference }) => `${provider} ${provider_reference}`));
  return keys.filter((key) => !known.has(key));
}
