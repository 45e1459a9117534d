/**
 * What becomes of payments after their success, as rows of data: each is run without its webhooks and with each of them twice and in
 * reverse, and in `npm run test:all` also with each once and with all of them too late. Order, books, emails and alerts must equal
 * what the provider says.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { AlertKind, MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import type { Webhook } from '#server/modules/payments/providers/provider.ts';
import { sellProduct } from './products.ts';
import { setUnits, shopperWithCart } from './shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from './test-app.ts';

const mug = 'MUG-OAT';
const hour = 60 * 60_000;
/** What the shop refunds in rows that begin with a refund, cents. */
export const refunded = 500;

export interface PaidOrder {
  id: string;
  number: string;
  total: number;
  session: Shopper;
  /** The shop's, and the provider's own id. */
  reference: string;
  providerId: string;
  /** Of the refund with which the row begins; '' without one. */
  refundKey: string;
}

export interface Row {
  title: string;
  /** Whether the shop has refunded a part before, with its receipt. */
  isRefunded?: true;
  change(order: PaidOrder): void;
  /** What moves is on its way, and the provider counts it once it is there. */
  isOnItsWay?: true;
  /** Those that the provider sends about the change; none for what it tells of only when asked. */
  webhooks?(order: PaidOrder): Promise<Webhook[]> | Webhook[];
  /** What is due again, or was refunded, cents; 'all' for the order's total. Left out: nothing. */
  due?: 'all';
  back?: number | 'all';
  /** The states of the order's disputes. */
  disputes?: readonly string[];
  alerts?: readonly AlertKind[];
  /** To the customer, besides the confirmation and the receipt of the refund. */
  mails?: readonly string[];
}

export interface Provider {
  name: string;
  env: Record<string, string>;
  pay(testApp: TestApp, session: Shopper): Promise<string | null>;
  /** Cents that the provider has for a reference, less refunds. */
  taken(reference: string): number;
  close(): Promise<void>;
}

const ways = {
  'without a webhook': async ({ ask }: Tools) => {
    for (let time = 0; time < 3; time++) await ask();
  },
  'with its webhooks': ({ hear }: Tools) => hear((all) => all),
  'with each webhook twice and in reverse': ({ hear }: Tools) => hear((all) => [...all, ...all].reverse()),
  'with its webhooks long after the shop has asked': async ({ ask, hear }: Tools) => {
    await ask();
    await hear((all) => all);
  },
} as const;

/** Without a webhook to send, all ways are the first. */
function waysOf(row: Row, isLong: boolean): (keyof typeof ways)[] {
  if (!row.webhooks) return ['without a webhook'];
  if (!isLong) return ['without a webhook', 'with each webhook twice and in reverse'];
  return Object.keys(ways) as (keyof typeof ways)[];
}

interface Tools {
  ask(): Promise<void>;
  hear(order: (all: Webhook[]) => Webhook[]): Promise<void>;
}

/** Registers the tests of a provider's rows; `isLong`: in all ways. */
export function followsAfterSuccess(
  open: () => Promise<Provider>,
  rows: readonly Row[],
  isLong: boolean,
): void {
  onOneEngine((engine) => {
    let testApp: TestApp;
    let provider: Provider;
    const alerts: MerchantAlert[] = [];

    beforeAll(async () => {
      provider = await open();
      testApp = await createTestApp({
        engine,
        demo: true,
        env: provider.env,
        services: (deps) => createContainer({ ...deps, onMerchantAlert: (alert) => void alerts.push(alert) }),
      });
      await sellProduct(testApp, mug);
    });
    beforeEach(async () => {
      testApp.clock.set(testNow);
      await setUnits(testApp, mug, 100);
    });
    afterAll(() => provider.close());

    async function bought(isRefunded = false): Promise<PaidOrder> {
      const session = await shopperWithCart(testApp, mug, 2);
      const id = (await provider.pay(testApp, session)) ?? '';
      const payment = await testApp.services.payments.attempts.succeededOf(id);
      const { orderNumber, bill } = await testApp.call('order', { session, params: { id } });
      const { reference = '', providerId } = payment ?? {};
      const number = orderNumber ?? '';
      const refund =
        isRefunded &&
        (await testApp.services.orderRefunds.refund(number, { amount: refunded, reason: 'chipped' }));
      expect(refund ? refund.given : false).toBe(isRefunded);
      const refundKey = refund ? refund.refund.id : '';
      return { id, number, total: bill.total, session, reference, providerId: providerId ?? '', refundKey };
    }

    const mailsOf = async ({ id }: PaidOrder) => {
      const sent = await testApp.db.read
        .selectFrom('deliveries')
        .select('kind')
        .where('order_id', '=', id)
        .execute();
      const usual = ['orderConfirmation', 'newOrder', 'kitchenTicket', 'refund'];
      return sent.map(({ kind }) => kind).filter((kind) => !usual.includes(kind));
    };
    const disputesOf = async ({ id }: PaidOrder) =>
      (await testApp.db.read.selectFrom('disputes').select('state').where('order_id', '=', id).execute()).map(
        ({ state }) => state,
      );

    it.each(
      rows.flatMap((row) =>
        waysOf(row, isLong).map((name) => [`${row.title}, ${name}`, row, ways[name]] as const),
      ),
    )('%s, is booked as the provider says', async (_title, row, way) => {
      const order = await bought(row.isRefunded);
      alerts.length = 0;
      row.change(order);
      const webhooks = (await row.webhooks?.(order)) ?? [];
      await way({
        async ask() {
          testApp.clock.advance(2 * hour);
          await testApp.services.payments.checkDue();
          await testApp.services.payments.reconcile();
        },
        async hear(inOrder) {
          for (const webhook of inOrder(webhooks))
            expect(await testApp.services.payments.webhook(provider.name, webhook)).toBe(true);
        },
      });
      const cents = (what: number | 'all' = 0) => (what === 'all' ? order.total : what);
      const { session, id } = order;
      const shown = await testApp.call('order', { session, params: { id } });
      const [due, back] = [cents(row.due), cents(row.back)];
      expect({ paid: shown.paid, due: shown.due, refunded: shown.payment?.refunded ?? 0 }).toEqual({
        paid: order.total - due - back,
        due,
        refunded: back,
      });
      if (!row.isOnItsWay) expect(provider.taken(order.reference)).toBe(order.total - due - back);
      expect(alerts.map(({ kind }) => kind)).toEqual(row.alerts ?? []);
      expect(await mailsOf(order)).toEqual(row.mails ?? []);
      expect(await disputesOf(order)).toEqual(row.disputes ?? []);
      const { findings } = await testApp.services.payments.compareMoney(testNow - 24 * hour);
      expect(
        findings.filter(
          ({ payment, taken }) => payment?.orderId === id || taken?.reference === order.reference,
        ),
      ).toEqual([]);
    });
  });
}
