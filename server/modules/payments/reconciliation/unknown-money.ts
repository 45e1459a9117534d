/** Finds money that providers have taken and that no order accounts for, such as after a backup was restored. */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Payment } from '../attempts/payment.ts';
import type { ListedPayment, WebhookSubject } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';

export interface UnknownMoneyDeps {
  db: Database;
  alerts: AlertsService;
}

/** References of the shop's own attempts; a provider's account may serve other systems too. */
const ownReference = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Alerts the merchant to a signed report of money whose payment the database does not know; once for each payment. */
export async function reportUnknownMoney(
  { db, alerts }: UnknownMoneyDeps,
  provider: string,
  { reference, money }: WebhookSubject,
): Promise<void> {
  if (!money || !ownReference.test(reference)) return;
  const values = { provider, amount: formatMerchantMoney(money.amount, money.currency), payment: reference };
  await db.transaction((trx) => alerts.raiseOnce(trx, { kind: 'unknownPayment', values, reference: `${provider}:${reference}` }));
}

export interface MoneyFinding {
  provider: string;
  taken: ListedPayment;
  /** The payment whose amount or currency differs; null if no order accounts for the money. */
  differs: Payment | null;
}

export interface MoneyComparison {
  findings: MoneyFinding[];
  /** By provider: how many payments were compared, or why they could not be. */
  compared: { provider: string; count: number; problem: string | null }[];
}

/**
 * Compares the payments that each provider has taken since a time (epoch ms) with those of the database. A payment that the
 * database has as open or failed is settled first, which places its order or refunds it.
 */
export async function compareMoney(
  deps: { providers: PaymentRegistry; attempts: Attempts },
  since: number,
): Promise<MoneyComparison> {
  const done: MoneyComparison = { findings: [], compared: [] };
  for (const provider of deps.providers.all()) {
    const { name } = provider;
    try {
      if (!provider.takenSince) throw new Error('its payments cannot be listed');
      const listed = await provider.takenSince(since);
      for (const taken of listed) {
        const differs = await findDifference(deps.attempts, name, taken);
        if (differs !== undefined) done.findings.push({ provider: name, taken, differs });
      }
      done.compared.push({ provider: name, count: listed.length, problem: null });
    } catch (error) {
      done.compared.push({ provider: name, count: 0, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return done;
}

/** The payment that differs, null if there is none for the money, undefined if the books agree. */
async function findDifference(
  attempts: Attempts,
  provider: string,
  { reference, amount, currency, refunded }: ListedPayment,
): Promise<Payment | null | undefined> {
  const find = () => attempts.find(provider, reference);
  let payment = await find();
  if (payment && isUnpaid(payment)) {
    await attempts.ask(payment);
    payment = await find();
  }
  if (!payment || isUnpaid(payment)) return refunded >= amount ? undefined : null;
  return payment.amount === amount && payment.currency === currency ? undefined : payment;
}

const isUnpaid = ({ state }: Payment) => state === 'pending' || state === 'lapsed' || state === 'failed';
