/** Checking out (SPEC §4, §5): how the order is to be had, by whom, where and when; and paying at the store. */
import type { FieldErrors } from '#contract/errors.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { inLocale } from '#contract/locales.ts';
import { contactErrors } from '#contract/rules/contact.ts';
import { isClean } from '#contract/rules/fields.ts';
import {
  chosenMethod,
  chosenStore,
  methodErrors,
  pickupErrors,
  pickupStores,
  tableErrors,
  tableStores,
} from '#contract/rules/method.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import { slotErrors } from '#contract/rules/slot.ts';
import type {
  AddressInput,
  CheckoutConfig,
  ContactInput,
  Order,
  PaymentConfig,
  ShippingMethod,
} from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import { type AccountsService, findProvince, normalizeContact, resolveAddress } from '#server/modules/customers/index.ts';
import { methodsTo } from '#server/modules/pricing/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { shippingTo } from '../billing.ts';
import type { Buyer, OrderHead, OrderLine } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';
import type { OrdersService } from '../orders.service.ts';
import { type PaymentGuard, PaymentInProgress, withEditableCart } from '../payment-guard.ts';
import { shippingErrors, validateCheckout } from './checkout-validation.ts';
import { unpaidOrderRateLimits } from './unpaid-orders.ts';

export interface DeliveryInput {
  address: AddressInput;
  contact: ContactInput;
  /** Who receives it, where that is somebody else. */
  shippingContact?: ContactInput;
  /** Left out: the cheapest. */
  shippingMethod?: string;
  /** The store that the shopper looked at (SPEC §7). It ships nothing, but has to exist. */
  localStoreName?: string | undefined;
  /** Keeps the address with the customer's. A guest has nowhere to keep it. */
  saveToMyProfile?: boolean | undefined;
}

export interface VisitInput {
  contact: ContactInput;
  methodName?: CheckoutMethod | undefined;
  localStoreName?: string | undefined;
  tableNumber?: string | undefined;
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;

export interface CheckoutDeps {
  db: Database;
  orders: OrdersService;
  pickup: PickupService;
  accounts: AccountsService;
  payments: PaymentGuard;
  attempts: RateLimitsService;
}

export function createCheckoutService({ db, orders, pickup, payments, accounts, attempts }: CheckoutDeps) {
  async function paymentConfig(): Promise<PaymentConfig> {
    const { payAtStoreEnabled, paymentOnline, defaultGateWayProviderName } = (await orders.settings()).payment;
    return { payAtStoreEnabled, ...payments.onlineMethods(paymentOnline ? defaultGateWayProviderName : null) };
  }

  /** Who checks out: 401 where guests may not, which the screens turn into signing in. */
  async function buyerOf(session: SessionHandle, facts: OrderSettings): Promise<Buyer> {
    const buyer = await session.get();
    if (!facts.checkout.enabledGuestOrders && !buyer?.customerId)
      throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'rule.loginNeeded' });
    if (!buyer) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    return buyer;
  }

  /** A cart with something in it, not being paid. */
  async function filledCart(trx: Trx, buyer: Buyer): Promise<{ cart: OrderHead; lines: OrderLine[] }> {
    const cart = await orders.findCart(trx, buyer);
    if (cart?.state === 'paying') throw new PaymentInProgress();
    const lines = cart ? await orders.lines(trx, cart) : [];
    if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    return { cart, lines };
  }

  async function change(
    trx: Trx,
    cart: OrderHead,
    facts: OrderSettings,
    locale: Locale,
    fields: Parameters<OrdersService['changeCart']>[2],
  ): Promise<Order> {
    if ((await orders.changeCart(trx, cart.id, fields)) === null) throw new PaymentInProgress();
    const changed = await orders.findById(trx, cart.id);
    return orders.view(trx, changed, facts, locale);
  }

  /** Changes the session's cart, which is taken back where it was being paid. */
  function changing(session: SessionHandle, work: (trx: Trx) => Promise<Order>): Promise<Order> {
    return withEditableCart(payments, session, () => db.transaction(work), { sameCart: true });
  }

  return {
    async checkoutConfig(): Promise<CheckoutConfig> {
      return (await orders.settings()).checkout;
    },

    paymentConfig,
    buyerOf,

    /** What it costs to ship the session's cart to a place, cheapest first. */
    async shippingMethods(
      session: SessionHandle,
      country: string,
      province: string | undefined,
      locale: Locale,
    ): Promise<ShippingMethod[]> {
      const [facts, buyer] = await Promise.all([orders.settings(), session.get()]);
      const cart = buyer && (await orders.findCart(db.read, buyer));
      const lines = cart ? await orders.lines(db.read, cart) : [];
      const countryISOCode = country.toUpperCase();
      const provinceCode = findProvince(countryISOCode, province ?? '')?.code ?? null;
      const coupon = cart ? await orders.couponOf(db.read, cart) : null;
      return shippingTo({ countryISOCode, provinceCode }, lines, facts, coupon).map(({ method, price }) => ({
        id: method.id,
        nameContent: method.name,
        description: inLocale(method.description, locale),
        price,
        minBusinessDays: method.minBusinessDays,
        maxBusinessDays: method.maxBusinessDays,
      }));
    },

    pickupSlots: (storeId: string, date: string) => pickup.slots(storeId, date),

    /** Shipping: clears what belongs to pickup and tables. */
    async deliver(session: SessionHandle, input: DeliveryInput, locale: Locale): Promise<Order> {
      const facts = await orders.settings();
      const buyer = await buyerOf(session, facts);
      if (input.localStoreName !== undefined && !facts.stores.some(({ id }) => id === input.localStoreName)) throw notFound();
      const customerId = input.saveToMyProfile ? (await session.customer()).customerId : null;
      const read = resolveAddress(input.address, facts.countries);
      const receiver = input.shippingContact ?? input.contact;
      refuse({
        ...methodErrors('shipping', facts.checkout),
        ...contactErrors(input.contact, facts.checkout),
        ...(input.shippingContact
          ? contactErrors(receiver, { requireMobile: false, requireEmail: false }, 'shippingContact')
          : {}),
        ...('errors' in read ? read.errors : {}),
      });
      // Not reached with errors: `refuse` has thrown.
      if ('errors' in read) throw validationError(read.errors);
      const { address } = read;
      return changing(session, async (trx) => {
        const { cart, lines } = await filledCart(trx, buyer);
        const offered = methodsTo(facts.shippingMethods, address, 0);
        if (offered.length === 0) throw validationError({ shippingMethod: 'rule.shippingMethodNone' });
        if (input.shippingMethod !== undefined && !offered.some(({ id }) => id === input.shippingMethod)) {
          throw validationError({ shippingMethod: 'rule.shippingMethodUnknown' });
        }
        refuse(shippingErrors(lines, locale));
        if (customerId) await accounts.profile.saveAddress(trx, customerId, 'shipping', address);
        return change(trx, cart, facts, locale, {
          method: 'shipping',
          store_id: null,
          table_number: null,
          pickup_at: null,
          pay_at_store: 0,
          contact: JSON.stringify(normalizeContact(input.contact)),
          shipping_contact: JSON.stringify(normalizeContact(receiver)),
          shipping_address: JSON.stringify(address),
          shipping_method: input.shippingMethod ?? null,
        });
      });
    },

    /** Pickup or a table: clears what belongs to shipping, and a pickup time at another store. */
    async visit(session: SessionHandle, input: VisitInput, locale: Locale): Promise<Order> {
      const facts = await orders.settings();
      const buyer = await buyerOf(session, facts);
      refuse(visitErrors(input, facts));
      const { stores, checkout } = facts;
      const method = chosenMethod(input.methodName, checkout);
      const store =
        method === 'pickup'
          ? chosenStore(input.localStoreName, pickupStores(stores), checkout.displayPickupLocations)
          : chosenStore(input.localStoreName, tableStores(stores), true);
      return changing(session, async (trx) => {
        const { cart } = await filledCart(trx, buyer);
        const keepsTime = method === 'pickup' && cart.method === 'pickup' && cart.storeId === store?.id;
        return change(trx, cart, facts, locale, {
          method,
          store_id: store?.id ?? null,
          table_number: method === 'instore' ? (input.tableNumber?.trim().replace(/^0+(?=\d)/, '') ?? null) : null,
          pickup_at: keepsTime ? cart.pickupAt : null,
          contact: JSON.stringify(normalizeContact(input.contact)),
          shipping_contact: null,
          shipping_address: null,
          shipping_method: null,
        });
      });
    },

    /** When the order will be fetched. The place is taken only when the order is placed. */
    async pickupDate(session: SessionHandle, at: number, locale: Locale): Promise<Order> {
      const facts = await orders.settings();
      const buyer = await buyerOf(session, facts);
      return changing(session, async (trx) => {
        const { cart } = await filledCart(trx, buyer);
        const store = cart.method === 'pickup' ? facts.stores.find(({ id }) => id === cart.storeId) : undefined;
        if (!store)
          throw validationError(cart.method === null ? { methodName: 'rule.methodMissing' } : { pickupDate: 'rule.slotNoTimes' });
        refuse(slotErrors(await pickup.unavailableReason(trx, store, at)));
        return change(trx, cart, facts, locale, { pickup_at: at });
      });
    },

    /**
     * Places the order to be paid at the store (SPEC §4: order reserve), or one that costs nothing. It takes
     * goods off the shelf and sends a mail without a payment, so how often is limited.
     */
    async reserve(
      session: SessionHandle,
      billVersion: string | undefined,
      address: string,
      locale: Locale,
    ): Promise<{ orderID: string }> {
      const facts = await orders.settings();
      const buyer = await buyerOf(session, facts);
      const config = await paymentConfig();
      const email = (await orders.findCart(db.read, buyer))?.contact?.email;
      // A flood of refused reservations costs a read each.
      await attempts.allow(unpaidOrderRateLimits(email, address));
      // Holds nobody paid in time are given back first, so that their goods can be had.
      await orders.expireHolds();
      const orderID = await withEditableCart(payments, session, () =>
        db.transaction((trx) =>
          orders.placement.reserve(trx, {
            buyer,
            facts,
            locale,
            billVersion,
            holdsStock: true,
            network: networkOf(address),
            countUnpaid: (within, { contact }) => attempts.countIn(within, unpaidOrderRateLimits(contact?.email, address)),
            problems: (order, lines, { total }) => ({
              ...validateCheckout(order, lines, facts, locale),
              ...(total > 0 ? paymentErrors('payAtStore', config, order.method) : {}),
            }),
          }),
        ),
      );
      return { orderID };
    },
  };
}

/** Everything wrong with a visit at once, so that a shopper is not sent back twice. */
function visitErrors(
  { methodName, contact, localStoreName, tableNumber }: VisitInput,
  { checkout, stores }: OrderSettings,
): FieldErrors {
  const method = chosenMethod(methodName, checkout);
  return {
    ...contactErrors(contact, checkout),
    ...(method === 'pickup' ? pickupErrors(localStoreName, stores, checkout) : {}),
    ...(method === 'instore' ? tableErrors(tableNumber, localStoreName, stores) : {}),
    ...(method === 'shipping' ? { methodName: 'rule.methodMissing' as const } : {}),
    // Last, since why a method is off says more than that it has no stores.
    ...methodErrors(methodName, checkout),
  };
}

function refuse(errors: FieldErrors): void {
  if (!isClean(errors)) throw validationError(errors);
}
