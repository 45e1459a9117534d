/** Checkout (SPEC §4, §5): delivery method, contact, location and time; and placing an order that is paid at the store. */
import type { FieldErrors } from '#contract/errors.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { contactErrors, contactNeeds } from '#contract/rules/contact.ts';
import {
  chosenMethod,
  chosenStore,
  methodErrors,
  partyChargeAt,
  partySizeErrors,
  partySizeOf,
  pickupErrors,
  pickupStores,
  tableErrors,
  tableStores,
} from '#contract/rules/method.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import type { ContactInput, Order } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import { normalizeContact } from '#server/modules/customers/index.ts';
import {
  type OrderSettings,
  slotUseOf,
  unservedErrors,
  withEditableCart,
} from '#server/modules/orders/index.ts';
import type { PaymentsService } from '#server/modules/payments/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { unpaidOrderRateLimits } from '../placement/hold-limits.ts';
import { type PlacementDeps, placedBefore, reserveCart } from '../placement/place-order.ts';
import { requireTableCard, tableCardTokens } from '../placement/table-cards.ts';
import { payAtStoreErrors, paymentConfigOf, validateCheckout } from '../placement/validation.ts';
import { type CheckoutDeps, changeCheckout, checkoutBuyer, rejectErrors } from './checkout-cart.ts';
import {
  chooseDelivery,
  deliveryPromise,
  estimateBill,
  findLocalDelivery,
  listShippingMethods,
} from './delivery.ts';

export interface CheckoutServiceDeps extends CheckoutDeps, PlacementDeps {
  payments: PaymentsService;
  stores: Pick<StoresService, 'lock'>;
  rateLimits: RateLimitsService;
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;

export function createCheckoutService(deps: CheckoutServiceDeps) {
  const { db, orders, holds, payments, endPayment, rateLimits } = deps;

  return {
    checkoutConfig: async (): Promise<CheckoutConfig> => (await orders.settings()).checkout,
    paymentConfig: async (): Promise<PaymentConfig> =>
      paymentConfigOf(await orders.settings(), payments.providers),
    deliveryPromise: async () => deliveryPromise(await orders.settings(), deps.now()),
    shippingMethods: listShippingMethods(deps),
    localDelivery: findLocalDelivery(deps),
    billEstimate: estimateBill.bind(null, deps),
    pickupSlots: pickupSlotsOf.bind(null, deps),
    deliver: chooseDelivery(deps),
    visit: chooseVisit.bind(null, deps),
    pickupDate: choosePickupTime.bind(null, deps),
    tableCardTokens: (run: RunChange, storeId: string, wanted: Parameters<typeof tableCardTokens>[3]) =>
      tableCardTokens(run, deps, storeId, wanted),

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
            countUnpaid: (within, { contact }) =>
              rateLimits.countIn(within, unpaidOrderRateLimits(contact?.email, address)),
            problems: (order, lines, bill) => ({
              ...validateCheckout(order, { lines, settings, locale, now: deps.now() }),
              ...payAtStoreErrors(order, bill, { lines, settings, locale }),
              ...(bill.total > 0 ? paymentErrors('payAtStore', config, order.method) : {}),
            }),
          }),
        );
      const reserved = holds.withExpiredHoldsReleased(() => withEditableCart(endPayment, session, reserve));
      return { orderID: await reserved.catch((error: unknown) => placedBefore(deps, buyer, error)) };
    },
  };
}

interface VisitInput {
  contact: ContactInput;
  methodName?: CheckoutMethod | undefined;
  localStoreName?: string | undefined;
  tableNumber?: string | undefined;
  /** The token of the table's card. */
  tableCard?: string | undefined;
  partySize?: string | undefined;
}

/**
 * Checkout by a visit: pickup at a store, or dine-in.
 * Chooses pickup or dine-in, and clears the fields of shipping, and a pickup time at another store.
 */
async function chooseVisit(
  deps: CheckoutDeps,
  session: SessionHandle,
  input: VisitInput,
  locale: Locale,
): Promise<Order> {
  const settings = await deps.orders.settings();
  const buyer = await checkoutBuyer(session, settings);
  rejectErrors(visitErrors(input, settings));
  const { stores, checkout } = settings;
  const method = chosenMethod(input.methodName, checkout);
  const store =
    method === 'pickup'
      ? chosenStore(input.localStoreName, pickupStores(stores), checkout.displayPickupLocations)
      : chosenStore(input.localStoreName, tableStores(stores), true);
  const isAtTable = method === 'instore';
  const seat = {
    tableNumber: isAtTable ? (input.tableNumber?.trim().replace(/^0+(?=\d)/, '') ?? null) : null,
    tableCard: isAtTable ? input.tableCard || null : null,
  };
  return changeCheckout(deps, { session, buyer, settings, locale }, async (trx, { cart }) => {
    await requireTableCard(trx, { method, storeId: store?.id ?? null, ...seat }, settings);
    const keepsTime = method === 'pickup' && cart.method === 'pickup' && cart.storeId === store?.id;
    return {
      method,
      store_id: store?.id ?? null,
      table_number: seat.tableNumber,
      table_card: seat.tableCard,
      party_size: isAtTable && partyChargeAt(store?.id, checkout) ? partySizeOf(input.partySize) : null,
      pickup_at: keepsTime ? cart.pickupAt : null,
      contact: JSON.stringify(normalizeContact(input.contact)),
      shipping_contact: null,
      shipping_address: null,
      shipping_method: null,
    };
  });
}

/** The pickup times of a store on a day (YYYY-MM-DD), for the cart in hand. @throws 404 for a store without pickup */
async function pickupSlotsOf(
  { db, orders, pickup }: CheckoutDeps,
  session: SessionHandle,
  storeId: string,
  date: string,
) {
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  const cart = buyer && (await orders.findCart(db.read, buyer));
  const lines = cart && settings.menus.length > 0 ? await orders.lines(db.read, cart) : [];
  return pickup.slots(storeId, date, slotUseOf(lines, storeId, settings));
}

/** Chooses the pickup time `at` (epoch ms). The slot is reserved only when the order is placed. */
async function choosePickupTime(
  deps: CheckoutDeps,
  session: SessionHandle,
  at: number,
  locale: Locale,
): Promise<Order> {
  const settings = await deps.orders.settings();
  const buyer = await checkoutBuyer(session, settings);
  return changeCheckout(deps, { session, buyer, settings, locale }, async (trx, { cart, lines }) => {
    const store =
      cart.method === 'pickup' ? settings.stores.find(({ id }) => id === cart.storeId) : undefined;
    if (!store)
      throw validationError(
        cart.method === null ? { methodName: 'rule.methodMissing' } : { pickupDate: 'rule.slotNoTimes' },
      );
    // A line that is not served then says more than the time can.
    const unserved = unservedErrors(lines, { ...cart, pickupAt: at }, settings, { locale, now: at });
    const [error] = Object.values(unserved);
    rejectErrors(
      error
        ? { pickupDate: error }
        : await deps.pickup.errorsAt(trx, store, at, slotUseOf(lines, store.id, settings)),
    );
    return { pickup_at: at };
  });
}

/** All errors of a visit at once, so that a customer is not sent back twice. */
function visitErrors(
  { methodName, contact, localStoreName, tableNumber, partySize }: VisitInput,
  { checkout, stores }: OrderSettings,
): FieldErrors {
  const method = chosenMethod(methodName, checkout);
  return {
    ...contactErrors(contact, contactNeeds(checkout, method)),
    ...(method === 'pickup' ? pickupErrors(localStoreName, stores, checkout) : {}),
    ...(method === 'instore'
      ? {
          ...tableErrors(tableNumber, localStoreName, stores),
          ...partySizeErrors(partySize, localStoreName, checkout),
        }
      : {}),
    ...(method === 'shipping' ? { methodName: 'rule.methodMissing' as const } : {}),
    // Last, since why a method is off is more useful than that it has no stores.
    ...methodErrors(methodName, checkout),
  };
}
