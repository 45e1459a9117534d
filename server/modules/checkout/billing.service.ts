/** Paying online by the plain card form, and finding out what became of payments whose answer was lost. */
import type { Locale } from '#contract/locales.ts';
import { cardErrors } from '#contract/rules/card.ts';
import { isClean } from '#contract/rules/fields.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { AddressInput, Order, PaymentInstrument } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import { invalidFields, Refusal } from '#server/errors.ts';
import type { PaymentFailure, PaymentOutcome, PaymentProvider } from '#server/payments/provider.ts';
import type { PaymentRegistry } from '#server/payments/registry.ts';
import type { OrdersService } from '../orders/orders.service.ts';
import type { Payment } from '../orders/payment.ts';
import type { SessionHandle } from '../sessions/sessions.service.ts';
import { readAddress } from './address.ts';
import type { CheckoutService } from './checkout.service.ts';
import { checkoutProblems } from './problems.ts';

/** An attempt younger than this may still be with a process that is asking the provider. */
const graceMs = 60_000;

export interface CardPayment {
  paymentInstrucment: PaymentInstrument;
  billingAddress: AddressInput;
  billVersion?: string;
}

export interface BillingService {
  /** The order with its bill. 409 for an empty cart, which sends the shopper back to it. */
  get(session: SessionHandle, gatewayName: string, payAtStore: boolean, locale: Locale): Promise<Order>;
  /**
   * Pays the cart and places the order. Sent twice it pays once and answers the same.
   * @throws Refusal of SPEC §8 where the payment fails; the cart is then as it was
   */
  pay(session: SessionHandle, gatewayName: string, payment: CardPayment, locale: Locale): Promise<{ orderID: string }>;
  /** Settles payments whose answer was lost, refunds what is due and ends holds that ran out. */
  reconcile(): Promise<void>;
}

export interface BillingDeps {
  db: Database;
  now: () => number;
  orders: OrdersService;
  checkout: CheckoutService;
  payments: PaymentRegistry;
}

export function createBillingService({ db, now, orders, checkout, payments }: BillingDeps): BillingService {
  function gatewayOf(gatewayName: string): PaymentProvider {
    const gateway = payments.cardGateway(gatewayName);
    if (!gateway) throw new Refusal('NOT_FOUND', { errorKey: 'rule.gatewayNotSetUp' });
    return gateway;
  }

  /** Writes down what a provider said of an attempt. Returns the order it placed, null where it is not placed. */
  async function settle(payment: Payment, outcome: PaymentOutcome, provider: PaymentProvider): Promise<string | null> {
    if (outcome.state === 'failed') await db.transaction((trx) => orders.placing.fail(trx, payment, outcome.failure.errorKey));
    if (outcome.state !== 'succeeded') return null;
    const completed = await orders.completeOrder({ provider: provider.name, reference: payment.reference });
    if (!completed) return null;
    if (!completed.refund) return completed.orderID;
    await refund(completed.refund, provider);
    return null;
  }

  async function refund(payment: Payment, provider: PaymentProvider): Promise<void> {
    await provider.refund(payment.reference, payment.amount);
    await orders.markRefunded(payment);
  }

  /** The outcome of asking, where an answer that never came is asked for once more. */
  async function ask(provider: PaymentProvider, payment: Payment, card: PaymentInstrument): Promise<PaymentOutcome> {
    const { reference, orderId, amount, currency } = payment;
    const outcome = await provider.start({ reference, orderId, amount, currency }, card).catch(undecided);
    return outcome.state === 'undecided' ? provider.complete(reference).catch(undecided) : outcome;
  }

  return {
    async get(session, gatewayName, payAtStore, locale) {
      if (!payAtStore) gatewayOf(gatewayName);
      const facts = await orders.facts();
      const buyer = await checkout.buyerOf(session, facts);
      const cart = await orders.findCart(db.read, buyer);
      const lines = cart ? await orders.lines(db.read, cart) : [];
      if (!cart || lines.length === 0) throw new Refusal('CONFLICT', { errorKey: 'rule.cartEmpty' });
      const problems = checkoutProblems(cart, lines, facts, locale);
      if (!isClean(problems)) throw invalidFields(problems);
      return orders.view(db.read, cart, facts, locale, { lines });
    },

    async pay(session, gatewayName, { paymentInstrucment: card, billingAddress, billVersion }, locale) {
      const gateway = gatewayOf(gatewayName);
      const facts = await orders.facts();
      const buyer = await checkout.buyerOf(session, facts);
      const read = readAddress(billingAddress, facts.countries, 'billingAddress');
      const errors = { ...cardErrors(card, now()), ...('errors' in read ? read.errors : {}) };
      if (!isClean(errors) || 'errors' in read) throw invalidFields(errors);
      const config = await checkout.paymentConfig();
      // Holds nobody paid in time are given back first, so that their goods can be had.
      await orders.lapseDue();
      const begun = await db.transaction((trx) =>
        orders.placing.begin(trx, gateway.name, read.address, {
          buyer,
          facts,
          locale,
          billVersion,
          problems: (order, lines) => ({
            ...checkoutProblems(order, lines, facts, locale),
            ...paymentErrors('online', config, order.method),
          }),
        }),
      );
      if ('placed' in begun) return { orderID: begun.placed };
      const outcome = await ask(gateway, begun.payment, card);
      const orderID = await settle(begun.payment, outcome, gateway);
      if (orderID) return { orderID };
      throw refusalOf(outcome);
    },

    async reconcile() {
      const failures: unknown[] = [];
      // One that fails must not keep the others from being settled.
      const each = async (payment: Payment, work: (provider: PaymentProvider) => Promise<void>) => {
        const provider = payments.find(payment.provider);
        if (provider) await work(provider).catch((error: unknown) => failures.push(error));
      };
      const open = new Set<string>();
      for (const payment of await orders.undecided()) {
        await each(payment, async (provider) => {
          let outcome = await provider.complete(payment.reference).catch(undecided);
          if (outcome.state === 'undecided') {
            if (now() - payment.createdAt < graceMs) open.add(payment.orderId);
            else outcome = await provider.cancel(payment.reference).catch(undecided);
          }
          await settle(payment, outcome, provider);
        });
      }
      for (const payment of await orders.refundsDue()) await each(payment, (provider) => refund(payment, provider));
      await orders.lapseDue(open);
      if (failures.length > 0) throw new AggregateError(failures, 'Some payments could not be settled');
    },
  };
}

const undecided = (): PaymentOutcome => ({ state: 'undecided' });

function refusalOf(outcome: PaymentOutcome): Refusal {
  if (outcome.state === 'failed') return paymentRefusal(outcome.failure);
  if (outcome.state === 'undecided') return paymentRefusal({ errorType: 'SYSTEM_ERROR', errorKey: 'payment.undecided' });
  // The money came too late for the goods and is on its way back.
  return paymentRefusal({ errorType: 'TRANSACTION_ERROR', errorKey: 'payment.attemptEnded' });
}

/** A gateway that is out of order is a 503: trying again later may help. */
function paymentRefusal({ errorType, errorKey, errors }: PaymentFailure): Refusal {
  return new Refusal(errorType, {
    errorKey,
    ...(errors ? { errors } : {}),
    ...(errorType === 'SYSTEM_ERROR' ? { status: 503 } : {}),
  });
}
