/** Alerts the merchant to what needs a person: a log line, and an email to the shop's contact address. */
import { defaultLocale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import type { OutboxService } from './outbox.service.ts';

/** The values of each kind's email. Each kind has `mail.alert.<kind>.subject` and `.text` among the messages. */
export interface AlertValues {
  /** A provider refused a refund. `refund` is the refund's id, `amount` formatted text. */
  refundRefused: { provider: string; amount: string; refund: string; reason: string };
  /** A customer or their bank disputes a payment. `amount` is formatted text, `dispute` the provider's id. */
  disputeOpened: { provider: string; amount: string; order: string; dispute: string; reason: string };
  /** A provider accepts no payments until the merchant acts, for instance because of a revoked key. */
  paymentsRefused: { provider: string; reason: string };
  /**
   * An attempt was ended because its provider no longer knows it. `amount` is formatted text; `payment` is the provider's id, or
   * the shop's reference if the provider gave none.
   */
  attemptGivenUp: { provider: string; amount: string; order: string; payment: string; reason: string };
  /** A provider reports money of a payment that the database does not know. `amount` is formatted text, `payment` an id. */
  unknownPayment: { provider: string; amount: string; payment: string };
  /** A webhook could not be delivered for two days. `endpoint` is its id, `host` the host of its URL. */
  webhookGivenUp: { endpoint: string; host: string; event: string };
  /** An endpoint answered 410 Gone and was disabled. */
  webhookGone: { endpoint: string; host: string };
}
export type AlertKind = keyof AlertValues;

export interface MerchantAlert<K extends AlertKind = AlertKind> {
  kind: K;
  /** Without secrets and personal data: they are logged. */
  values: AlertValues[K];
  /** Of several alerts with one reference only the first is emailed; all are logged. */
  reference: string;
}

export type AlertsService = ReturnType<typeof createAlertsService>;

export interface AlertsDeps {
  mail: OutboxService;
  onMerchantAlert?: ((alert: MerchantAlert) => void) | undefined;
}

export function createAlertsService({ mail, onMerchantAlert }: AlertsDeps) {
  const enqueue = <K extends AlertKind>(trx: Trx, { kind, values, reference }: MerchantAlert<K>) =>
    mail.enqueue(trx, {
      kind: 'merchantAlert',
      // Read when the email is sent: the contact address is a setting.
      recipient: '',
      locale: defaultLocale,
      data: { alert: kind, values },
      reference: `alert:${kind}:${reference}`,
    });
  return {
    /** Logs an alert, and queues its email in the given transaction. */
    async raise<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void> {
      onMerchantAlert?.(alert);
      await enqueue(trx, alert);
    },
    /** Like `raise`, but logs only the first of several alerts with one reference: for reports that others repeat. */
    async raiseOnce<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void> {
      if ((await enqueue(trx, alert)) > 0) onMerchantAlert?.(alert);
    },
  };
}
