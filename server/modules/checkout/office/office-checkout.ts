/** What staff do that checkout knows how: refunds, cancelling, changing lines, and the cards of tables. */
import type { FastifyInstance } from 'fastify';
import { defaultLocale, inLocale, type Locale, localeCodes } from '#contract/locales.ts';
import type { RefusedRefund } from '#contract/staff/orders.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { OfficeOrders } from '#server/modules/orders/index.ts';
import type { DueRefund, PaymentsService } from '#server/modules/payments/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound, OperationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { CheckoutService } from '../delivery/checkout.service.ts';
import { tableCardsOf } from '../placement/table-cards.ts';
import type { OrderChanges } from '../settlement/order-changes.ts';
import type { OrderRefunds } from '../settlement/order-refunds.ts';

interface OfficeCheckoutDeps {
  changes: ChangesService;
  officeOrders: OfficeOrders;
  payments: Pick<PaymentsService, 'refunds'>;
  settings: SettingsService;
  /** Throws for a category that is not there. */
  catalogue: { category(id: string, locale: Locale): Promise<unknown> };
  stores: StoresService;
  env: Pick<Env, 'publicUrl'>;
  checkout: CheckoutService;
  orderRefunds: OrderRefunds;
  orderChanges: OrderChanges;
}

export function registerOfficeCheckout(app: FastifyInstance, deps: OfficeCheckoutDeps): void {
  registerRefunds(app, deps);
  registerRefused(app, deps);
  registerTableCards(app, deps);
  registerCancel(app, deps);
  registerOrderChanges(app, deps);
}

function registerRefunds(
  app: FastifyInstance,
  { officeOrders, changes, orderRefunds }: OfficeCheckoutDeps,
): void {
  serveStaff(app, 'refundOrder', async ({ permit, params, body }) => {
    const { number } = await officeOrders.reach(permit, params.number);
    const { given } = await orderRefunds.refundParts(changes.by(permit.actor, 'refund'), number ?? '', body);
    return { given };
  });
}

/** What staff do about refunds that providers refused. Those of orders that were never placed are for people of all stores. */
function registerRefused(
  app: FastifyInstance,
  { officeOrders, payments: { refunds }, changes }: OfficeCheckoutDeps,
): void {
  /** Null if the permit does not reach it. */
  async function shown(permit: Permit, { refund, payment }: DueRefund): Promise<RefusedRefund | null> {
    const order = await officeOrders.reach(permit, payment.orderNumber ?? '').catch((error: unknown) => {
      if (error instanceof OperationError) return null;
      throw error;
    });
    if (!order && permit.stores !== null) return null;
    const { id, amount, currency, providerNote: why, createdAt: at } = refund;
    return {
      id,
      order: order?.number ?? null,
      payment: payment.id,
      provider: payment.provider,
      amount,
      currency,
      why,
      at,
    };
  }
  /** @throws {OperationError} if there is no such refund that the permit reaches */
  async function reached(permit: Permit, wanted: string): Promise<string> {
    const refused = (await refunds.refused()).find(({ refund: { id } }) => id === wanted);
    const refund = refused && (await shown(permit, refused));
    if (!refund) throw new OperationError('error.refund.unknown', { id: wanted });
    return refund.id;
  }
  serveStaff(app, 'refusedRefunds', async ({ permit }) => {
    const all = await Promise.all((await refunds.refused()).map((refused) => shown(permit, refused)));
    return { refunds: all.filter((refund) => refund !== null) };
  });
  serveStaff(app, 'retryRefund', async ({ permit, params }) => {
    const id = await reached(permit, params.id);
    const { given, refused, payment } = await refunds.retry(changes.by(permit.actor, 'refunds retry'), id);
    if (refused !== undefined)
      throw new OperationError('error.refund.refused', { provider: payment.provider, reason: refused });
    return { given };
  });
  serveStaff(app, 'settleRefund', async ({ permit, params }) => {
    const id = await reached(permit, params.id);
    await changes.run(permit.actor, 'refunds settle', (change) => refunds.settle(change, id));
    return { done: true as const };
  });
}

function registerTableCards(
  app: FastifyInstance,
  { stores, settings, catalogue, changes, env, checkout }: OfficeCheckoutDeps,
): void {
  serveStaff(app, 'tableCards', async ({ permit, params, body: { menu, replaces, ...body } }) => {
    const store = permit.reaches(params.id)
      ? (await stores.all()).find(({ id }) => id === params.id)
      : undefined;
    if (!store) throw notFound();
    const locale = localeCodes.find((code) => code === body.locale) ?? defaultLocale;
    await catalogue.category(menu, locale);
    const run = changes.by(permit.actor, 'table-cards');
    const wanted = { tables: store.tables, ...(replaces === null ? {} : { renew: true, seen: replaces }) };
    const tokens = store.tables > 0 ? await checkout.tableCardTokens(run, store.id, wanted) : [];
    const { shopName } = await settings.all();
    return { publicUrl: env.publicUrl, ...tableCardsOf({ shopName, store, menu, locale }, tokens) };
  });
}

function registerCancel(
  app: FastifyInstance,
  { officeOrders, changes, orderRefunds }: OfficeCheckoutDeps,
): void {
  for (const name of ['cancelOrder', 'cancelOrderBack'] as const)
    serveStaff(app, name, async ({ permit, params, body }) => {
      const { number } = await officeOrders.reach(permit, params.number);
      const { reason, version, most, ...how } = body;
      if (name === 'cancelOrder' && most > 0) throw new OperationError('error.order.mayNotGiveBack');
      const run = changes.by(permit.actor, 'orders cancel');
      const { refund } = await orderRefunds.cancelOrder(run, number ?? '', reason.trim(), {
        ...how,
        seen: { version, most },
      });
      return { given: refund?.given ?? true };
    });
}

function registerOrderChanges(
  app: FastifyInstance,
  { officeOrders, changes, orderChanges }: OfficeCheckoutDeps,
): void {
  serveStaff(app, 'previewChange', async ({ permit, params, body, lang }) => {
    const { id } = await officeOrders.reach(permit, params.number);
    const { lines, ...plan } = await orderChanges.plan(id, body.lines, lang);
    const shown = lines.deltas.map(({ name, text, ...delta }) => ({
      ...delta,
      name: inLocale(name, lang),
      text: inLocale(text, lang),
    }));
    return { ...plan, lines: shown };
  });
  for (const name of ['changeOrder', 'changeOrderBack'] as const)
    serveStaff(app, name, async ({ permit, params, body, lang }) => {
      const { id } = await officeOrders.reach(permit, params.number);
      const booking = { ...body, mayGiveBack: name === 'changeOrderBack' };
      const { due, refund } = await orderChanges.book(
        changes.by(permit.actor, 'orders change'),
        id,
        booking,
        lang,
      );
      return { due, given: refund?.given ?? true };
    });
}
