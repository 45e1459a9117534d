/** Checkout (SPEC §4, §5): delivery method, contact, location and time; and placing an order that is paid at the store. */

import type { Locale } from '#contract/locales.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import { withEditableCart } from '#server/modules/orders/index.ts';
import type { PaymentsService } from '#server/modules/payments/index.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { type PlacementDeps, reserveCart } from '../placement/place-order.ts';
import { tableCardTokens } from '../placement/tables.ts';
import { unpaidOrderRateLimits } from '../placement/unpaid-holds.ts';
import { payAtStoreErrors, paymentConfigOf, validateCheckout } from '../placement/validation.ts';
import { type CheckoutDeps, checkoutBuyer } from './checkout-cart.ts';
import { chooseDelivery, deliveryPromise, estimateBill, listShippingMethods } from './delivery.ts';
import { findLocalDelivery } from './local-delivery.ts';
import { choosePickupTime, chooseVisit, pickupSlotsOf } from './visit.ts';

export interface CheckoutServiceDeps extends CheckoutDeps, PlacementDeps {
  payments: PaymentsService;
  rateLimits: RateLimitsService;
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;

export function createCheckoutService(deps: CheckoutServiceDeps) {
  const { db, orders, payments, endPayment, rateLimits } = deps;

  return {
    checkoutConfig: async (): Promise<CheckoutConfig> => (await orders.settings()).checkout,
    paymentConfig: async (): Promise<PaymentConfig> => paymentConfigOf(await orders.settings(), payments.providers),
    deliveryPromise: async () => deliveryPromise(await orders.settings(), deps.now()),
    shippingMethods: listShippingMethods.bind(null, deps),
    localDelivery: findLocalDelivery.bind(null, deps),
    billEstimate: estimateBill.bind(null, deps),
    pickupSlots: pickupSlotsOf.bind(null, deps),
    deliver: chooseDelivery.bind(null, deps),
    visit: chooseVisit.bind(null, deps),
    pickupDate: choosePickupTime.bind(null, deps),
    tableCardTokens: (run: RunChange, storeId: string, options: { tables: number; renew?: boolean }) =>
      tableCardTokens(run, db, storeId, options),

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
      const config = paymentConfigOf(settings, payments.providers);
      const email = (await orders.findCart(db.read, buyer))?.contact?.email;
      // A flood of refused reservations costs one read each.
      await rateLimits.allow(unpaidOrderRateLimits(email, address));
      const reserve = () =>
        db.transaction((trx) =>
          reserveCart(deps, trx, {
            buyer,
            settings,
            locale,
            billVersion,
            holdsStock: true,
            network: networkOf(address),
            countUnpaid: (within, { contact }) => rateLimits.countIn(within, unpaidOrderRateLimits(contact?.email, address)),
            problems: (order, lines, bill) => ({
              ...validateCheckout(order, { lines, settings, locale, now: deps.now() }),
              ...payAtStoreErrors(order, bill, { lines, settings, locale }),
              ...(bill.total > 0 ? paymentErrors('payAtStore', config, order.method) : {}),
            }),
          }),
        );
      const reserved = orders.withExpiredHoldsReleased(() => withEditableCart(endPayment, session, reserve));
      return { orderID: await reserved };
    },
  };
}
