/** https://developer.paypal.com/api/rest/webhooks/event-names/ */
import { parseAmount } from '#contract/money.ts';
import type { ProviderMoney, Webhook } from '#server/modules/payments/providers/provider.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';

interface Event {
  event_type?: unknown;
  resource?: {
    amount?: Amount;
    dispute_amount?: Amount;
    custom_id?: unknown;
    supplementary_data?: { related_ids?: { order_id?: unknown } };
    links?: { rel?: unknown; href?: unknown }[];
    purchase_units?: { custom_id?: unknown }[];
    disputed_transactions?: { custom?: unknown }[];
  };
}

interface Amount {
  currency_code?: unknown;
  value?: unknown;
}

export interface PayPalNews {
  /** '' if it is not about a payment of the shop's. */
  reference: string;
  /** PayPal's order, if the reference is missing and the notification names the order. */
  providerId?: string;
  /** PayPal's capture, if the notification names nothing else. */
  captureId?: string;
  /** The customer has approved the order in PayPal's window. */
  shopperActed?: true;
  /** The key of a refund that the shop requested. */
  refundKey?: string;
  /** The money that was captured, or refunded or disputed later. */
  money?: ProviderMoney;
}

const transmissionHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

/** PayPal delivers a notification for up to three days (https://developer.paypal.com/api/rest/webhooks/). One more for safety. */
const longestDeliveryMs = 4 * dayMs;
/** How far PayPal's clock may be ahead of the shop's. */
const clockMs = 10 * minuteMs;

/** The shape of each field. https://developer.paypal.com/api/webhooks/v1/definitions/verify_webhook_signature */
const shapes: Readonly<Record<keyof typeof transmissionHeaders, (value: string, now: number) => boolean>> = {
  auth_algo: (value) => /^SHA\d{3}withRSA$/i.test(value),
  cert_url: isCertificateUrl,
  transmission_id: (value) => /^[\w-]{1,50}$/.test(value),
  transmission_sig: (value) => /^[A-Za-z0-9+/]{1,500}={0,2}$/.test(value),
  transmission_time(value, now) {
    const at = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
    return at <= now + clockMs && at >= now - longestDeliveryMs;
  },
};

function isCertificateUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, host, pathname } = new URL(value);
  return (
    protocol === 'https:' &&
    username === '' &&
    /^[\w.-]+\.paypal\.com$/.test(host) &&
    pathname.startsWith('/v1/notifications/certs/')
  );
}

/**
 * '' if it is not about a payment of the shop's; null if PayPal did not send it: requests with headers or a time that PayPal
 * cannot have sent are rejected without asking it. Errors of `verify` are rethrown, so that PayPal sends the webhook again.
 */
export async function payPalReference(
  { headers, body }: Webhook,
  webhookId: string,
  now: number,
  verify: (transmission: Record<string, string>, event: string) => Promise<boolean>,
): Promise<PayPalNews | null> {
  const transmission: Record<string, string> = { webhook_id: webhookId };
  for (const [name, isShaped] of Object.entries(shapes)) {
    const value = headers[transmissionHeaders[name as keyof typeof shapes]];
    if (typeof value !== 'string' || !isShaped(value, now)) return null;
    transmission[name] = value;
  }
  const text = body.toString('utf8');
  const news = newsOf(text);
  return news !== null && (await verify(transmission, text)) ? news : null;
}

function newsOf(text: string): PayPalNews | null {
  let event: Event | null;
  try {
    event = JSON.parse(text) as Event | null;
  } catch {
    return null;
  }
  if (typeof event?.event_type !== 'string') return null;
  const { resource } = event;
  const id = event.event_type.startsWith('CHECKOUT.ORDER.')
    ? resource?.purchase_units?.[0]?.custom_id
    : event.event_type.startsWith('PAYMENT.CAPTURE.')
      ? resource?.custom_id
      : event.event_type.startsWith('CUSTOMER.DISPUTE.')
        ? resource?.disputed_transactions?.[0]?.custom
        : undefined;
  // The shop's own refunds have their key after the reference (`refundCustomId`).
  const [reference = '', refundKey] = typeof id === 'string' ? id.split(':') : [];
  const money = moneyEvents.test(event.event_type)
    ? moneyOf(resource?.amount ?? resource?.dispute_amount)
    : null;
  const taken = money ? { money } : {};
  if (refundKey) return { reference, refundKey, ...taken };
  if (!reference && event.event_type.startsWith('PAYMENT.CAPTURE.'))
    return { reference, ...relatedIds(resource), ...taken };
  if (money) return { reference, money };
  return event.event_type === 'CHECKOUT.ORDER.APPROVED' ? { reference, shopperActed: true } : { reference };
}

const moneyEvents = /^(?:PAYMENT\.CAPTURE\.(?:COMPLETED|REFUNDED|REVERSED)|CUSTOMER\.DISPUTE\..*)$/;

export function moneyOf({ currency_code: currency, value }: Amount = {}): ProviderMoney | null {
  if (typeof value !== 'string' || typeof currency !== 'string') return null;
  const amount = parseAmount(value, currency);
  return amount ? { amount, currency } : null;
}

/** A refund names its capture, and a capture its order, with the link `up`. */
function relatedIds(resource: Event['resource']): Pick<PayPalNews, 'providerId' | 'captureId'> {
  const orderId = resource?.supplementary_data?.related_ids?.order_id;
  if (typeof orderId === 'string') return { providerId: orderId };
  const up = resource?.links?.find(({ rel }) => rel === 'up')?.href;
  const [, kind, id] =
    /\/v2\/(checkout\/orders|payments\/captures)\/(\w+)$/.exec(typeof up === 'string' ? up : '') ?? [];
  if (id === undefined) return {};
  return kind === 'checkout/orders' ? { providerId: id } : { captureId: id };
}
