import { defaultLocale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import type { OutboxService } from './outbox.service.ts';

/** By kind, which has `mail.alert.<kind>.subject` and `.text` among the messages. Amounts are formatted text. */
export interface AlertValues {
  /** `refund` is the refund's id. */
  refundRefused: { provider: string; amount: string; refund: string; reason: string };
  /** By a customer or their bank; `dispute` is the provider's id. */
  disputeOpened: { provider: string; amount: string; order: string; dispute: string; reason: string };
  paymentsRefused: { provider: string; reason: string };
  /** Its provider no longer knows it. `payment` is the provider's id, or the shop's reference if there is none. */
  attemptGivenUp: { provider: string; amount: string; order: string; payment: string; reason: string };
  /** Money of a payment that the database does not know; `payment` is an id. */
  unknownPayment: { provider: string; amount: string; payment: string };
  /** Has printed nothing for a minute. `printer` is its store, `address` where it is looked for. */
  printerAway: { printer: string; address: string; reason: string };
  /** For two days. `endpoint` is its id, `host` that of its URL. */
  webhookGivenUp: { endpoint: string; host: string; event: string };
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
    async raise<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void> {
      onMerchantAlert?.(alert);
      await enqueue(trx, alert);
    },
    /** For reports that others repeat: only the first of one reference is logged. */
    async raiseOnce<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void> {
      if ((await enqueue(trx, alert)) > 0) onMerchantAlert?.(alert);
    },
  };
}
