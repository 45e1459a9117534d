/** Checkout (SPEC §4, §5): delivery method, contact, location and time; and placing an order that is paid at the store. */
import type { Locale } from '#contract/locales.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { CheckoutConfig } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { withEditableCart } from '../payment-guard.ts';
import { type BillEstimateInput, estimateBill } from './bill-estimate.ts';
import { type CheckoutDeps, checkoutBuyer } from './checkout-cart.ts';
import { payAtStoreErrors, validateCheckout } from './checkout-validation.ts';
import { chooseDelivery, type DeliveryInput, listShippingMethods } from './delivery.ts';
import { deliveryPromise } from './delivery-promise.ts';
import { unpaidOrderRateLimits } from './unpaid-orders.ts';
import { choosePickupTime, chooseVisit, type VisitInput } from './visit.ts';

export type CheckoutService = ReturnType<typeof createCheckoutService>;

export function createCheckoutService(deps: CheckoutDeps) {
  const { db, orders, pickup, payments, attempts } = deps;

  const paymentConfig = () => paymentConfigOf(deps);

  return {
    checkoutConfig: async (): Promise<CheckoutConfig> => (await orders.settings()).checkout,
    paymentConfig,
    buyerOf: checkoutBuyer,

    shippingMethods: (session: SessionHandle, country: string, province: string | undefined, locale: Locale) =>
      listShippingMethods(deps, session, country, province, locale),
    deliveryPromise: async () => deliveryPromise(await orders.settings(), deps.now()),
    billEstimate: (session: SessionHandle, input: BillEstimateInput, locale: Locale) =>
      estimateBill(deps, session, input, locale),
    pickupSlots: (storeId: string, date: string) => pickup.slots(storeId, date),
    deliver: (session: SessionHandle, input: DeliveryInput, locale: Locale) => chooseDelivery(deps, session, input, locale),
    visit: (session: SessionHandle, input: VisitInput, locale: Locale) => chooseVisit(deps, session, input, locale),
    pickupDate: (session: SessionHandle, at: number, locale: Locale) => choosePickupTime(deps, session, at, locale),

    /**
     * Places an order that is paid at the store (SPEC §4: order reserve), or one that costs nothing. Rate limited, since it takes
     * stock and sends an email without a payment.
     */
    async reserve(
      session: SessionHandle,
      billVersion: string | undefined,
      address: string,
      locale: Locale,
    ): Promise<{ orderID: string }> {
      const settings = await orders.settings();
      const buyer = await checkoutBuyer(session, settings);
      const config = await paymentConfig();
      const email = (await orders.findCart(db.read, buyer))?.contact?.email;
      // A flood of refused reservations costs one read each.
      await attempts.allow(unpaidOrderRateLimits(email, address));
      const reserve = () =>
        db.transaction((trx) =>
          orders.placement.reserve(trx, {
            buyer,
            settings,
            locale,
            billVersion,
            holdsStock: true,
            network: networkOf(address),
            countUnpaid: (within, { contact }) => attempts.countIn(within, unpaidOrderRateLimits(contact?.email, address)),
            problems: (order, lines, bill) => ({
              ...validateCheckout(order, lines, settings, locale),
              ...payAtStoreErrors(order, lines, bill, settings, locale),
              ...(bill.total > 0 ? paymentErrors('payAtStore', config, order.method) : {}),
            }),
          }),
        );
      const reserved = orders.withExpiredHoldsReleased(() => withEditableCart(payments, session, reserve));
      return { orderID: await reserved };
    },
  };
}

async function paymentConfigOf({ orders, payments }: CheckoutDeps): Promise<PaymentConfig> {
  const { payment, tables } = await orders.settings();
  const { payAtStoreEnabled, paymentOnline, defaultGateWayProviderName } = payment;
  return {
    payAtStoreEnabled,
    ...(tables.payOnline ? { payOnlineAtTables: true } : {}),
    ...payments.onlineMethods(paymentOnline ? defaultGateWayProviderName : null),
  };
}
