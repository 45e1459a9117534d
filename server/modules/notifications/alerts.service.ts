/** Tells the merchant about money that needs a person: a line in the log, and an email to the shop's contact address. */
import { defaultLocale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import type { OutboxService } from './outbox.service.ts';

/** What its email needs, by kind. Each kind has `mail.alert.<kind>.subject` and `.text` among the messages. */
export interface AlertValues {
  /** A provider refused money that the shop owes a customer. `refund` is the refund's id, `amount` ready to read. */
  refundRefused: { provider: string; amount: string; refund: string; reason: string };
  /** A customer or their bank disputes a payment. `amount` is ready to read, `dispute` is the provider's id. */
  disputeOpened: { provider: string; amount: string; order: string; dispute: string; reason: string };
  /** A provider takes no payments until the merchant acts, because of a revoked key for instance. */
  paymentsRefused: { provider: string; reason: string };
  /**
   * An attempt was ended because its provider no longer knows it. `amount` is ready to read, `payment` is the provider's id,
   * or the shop's reference if the provider gave none.
   */
  attemptGivenUp: { provider: string; amount: string; order: string; payment: string; reason: string };
}
export type AlertKind = keyof AlertValues;

export interface MerchantAlert<K extends AlertKind = AlertKind> {
  kind: K;
  /** Without secrets and personal data: they are logged. */
  values: AlertValues[K];
  /** Of several alerts with one reference only the first is mailed; all are logged. */
  reference: string;
}

export interface AlertsService {
  /** Logs an alert, and queues its email in the transaction of what causes it. */
  raise<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void>;
}

export interface AlertsDeps {
  mail: OutboxService;
  /** Writes the line of the log. */
  onMerchantAlert?: ((alert: MerchantAlert) => void) | undefined;
}

/** Creates the service that tells the merchant. */
export function createAlertsService({ mail, onMerchantAlert }: AlertsDeps): AlertsService {
  return {
    async raise(trx, { kind, values, reference }) {
      onMerchantAlert?.({ kind, values, reference });
      await mail.enqueue(trx, {
        kind: 'merchantAlert',
        // Looked up when it is sent: the contact address is a setting.
        recipient: '',
        locale: defaultLocale,
        data: { alert: kind, values },
        reference: `alert:${kind}:${reference}`,
      });
    },
  };
}
