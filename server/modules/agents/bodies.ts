/** Carts and orders of the shop in the protocol's terms. Every cent comes from the shop's own bill. */
import { shareOf } from '#contract/bill-rows.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';
import { translate } from '#server/platform/i18n.ts';
import { type Body, invalidRequest } from './protocol.ts';

/** Px. */
const pictureWidth = 1280;

/** Without parts that are zero and that nobody expects; they add up to the total. */
export function totalsOf(bill: Bill, locale: Locale, shipped: boolean): Body[] {
  const t = translate(locale);
  const { subtotal, discount, shipping, shippingSaved, serviceCharge, tax, taxLines, tip, total, coupon } =
    bill;
  const off = discount + shippingSaved;
  // What is taken off certain lines stands in their totals too.
  const offType = coupon?.shares ? 'items_discount' : 'discount';
  const fees = serviceCharge ? [serviceCharge] : [];
  const charged = taxLines.filter(({ amount }) => amount > 0);
  const isItemized = charged.reduce((sum, { amount }) => sum + amount, 0) === tax;
  const taxes = isItemized ? charged : [{ label: t('bill.tax'), amount: tax }];
  return [
    { type: 'subtotal', display_text: t('bill.subtotal'), amount: subtotal },
    ...(off > 0 ? [{ type: offType, display_text: t('bill.discount'), amount: -off }] : []),
    ...(shipped
      ? [{ type: 'fulfillment', display_text: t('bill.shipping'), amount: shipping + shippingSaved }]
      : []),
    ...fees.map(({ nameContent, amount }) => ({
      type: 'fee',
      display_text: inLocale(nameContent, locale),
      amount,
    })),
    ...taxes.map(({ label, amount }) => ({ type: 'tax', display_text: label, amount })),
    ...(tip > 0 ? [{ type: 'tip', display_text: t('bill.tip'), amount: tip }] : []),
    { type: 'total', display_text: t('bill.total'), amount: total },
  ];
}

export function lineBody(line: LineItem, bill: Bill, origin: string): Body {
  const { id, quantity, modifiers, note } = line;
  const chosen = modifiers.map(({ group, modifier, quantity: many }) => ({
    group,
    modifier,
    quantity: many,
  }));
  return {
    id,
    item: itemBody(line, origin),
    quantity,
    totals: lineTotals(line, bill),
    modifiers: chosen.length > 0 ? chosen : undefined,
    note: note || undefined,
  };
}

export function lineTotals({ id, lineTotal }: Pick<LineItem, 'id' | 'lineTotal'>, bill: Bill) {
  const off = shareOf(bill, id);
  return [
    { type: 'subtotal', amount: lineTotal },
    ...(off > 0 ? [{ type: 'items_discount', amount: -off }] : []),
    { type: 'total', amount: lineTotal - off },
  ];
}

export const plainTotals = (amount: number) => [
  { type: 'subtotal', amount },
  { type: 'total', amount },
];

export function itemBody(
  { sku, productName, optionText, modifierText, unitPrice, image }: LineItem,
  origin: string,
): Body {
  const title = [productName, optionText, modifierText].filter((text) => text !== '').join(' · ');
  return { id: sku, title, price: unitPrice, image_url: image ? origin + fittingUrl(image, 640) : undefined };
}

export function mediaOf(image: ImageInfo, origin: string): Body {
  const { width, height, alt } = image;
  return {
    type: 'image',
    url: origin + fittingUrl(image, pictureWidth),
    width,
    height,
    alt_text: alt || undefined,
  };
}

export function discountsBody(
  { bill, lineItems }: Pick<Order, 'bill' | 'lineItems'>,
  codes: readonly string[],
  locale: Locale,
): Body {
  const { coupon, discount, shippingSaved } = bill;
  if (coupon?.state !== 'applied') return { codes, applied: [] };
  const code = codes.find((each) => isSameCode(each, coupon.code)) ?? coupon.code;
  const title = inLocale(coupon.nameContent, locale) || coupon.code;
  const allocations = coupon.shares?.map(({ line, amount }) => {
    return { path: `$.line_items[${lineItems.findIndex(({ id }) => id === line)}]`, amount };
  });
  return { codes, applied: [{ code, title, amount: discount + shippingSaved, allocations }] };
}

export const isSameCode = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

const linkTypes: readonly (readonly [RegExp, string])[] = [
  [/privacy/, 'privacy_policy'],
  [/terms/, 'terms_of_service'],
  [/refund|return/, 'refund_policy'],
  [/shipping|delivery/, 'shipping_policy'],
  [/faq|help/, 'faq'],
];

/** The pages at the foot of the shop that the protocol has a name for. */
export function linksBody(
  links: readonly { label: LocalText; link: string }[],
  origin: string,
  locale: Locale,
): Body[] {
  return links.flatMap(({ label, link }) => {
    const type = linkTypes.find(([pattern]) => pattern.test(link))?.[1];
    return type
      ? [{ type, url: link.startsWith('/') ? origin + link : link, title: inLocale(label, locale) }]
      : [];
  });
}

/** Of a list that goes on at a position; its total as far as it is known. */
export function pageBody(at: number, total: number, isCounted = true): Body {
  const cursor = at < total ? Buffer.from(`at:${at}`).toString('base64url') : undefined;
  return { has_next_page: at < total, cursor, total_count: isCounted ? total : undefined };
}

export function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^at:(\d{1,7})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digits === undefined) throw invalidRequest('The cursor is not one of this shop.');
  return Number(digits);
}
