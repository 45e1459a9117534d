/** Carts and orders of the shop in the protocol's terms. Every cent comes from the shop's own bill. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';
import { translate } from '#server/platform/i18n.ts';
import type { Body } from './protocol.ts';

/** Px. */
const pictureWidth = 1280;

export interface Total {
  type: string;
  amount: number;
  display_text: string;
}

/** Without parts that are zero and that nobody expects; they add up to the total. */
export function totalsOf(bill: Bill, locale: Locale, shipped: boolean): Total[] {
  const t = translate(locale);
  const { subtotal, discount, shipping, shippingSaved, serviceCharge, tax, taxLines, tip, total } = bill;
  const off = discount + shippingSaved;
  const taxes = taxLines.filter(({ amount }) => amount > 0);
  const itemized = taxes.reduce((sum, { amount }) => sum + amount, 0) === tax;
  return [
    { type: 'subtotal', display_text: t('bill.subtotal'), amount: subtotal },
    ...(off > 0 ? [{ type: 'discount', display_text: t('bill.discount'), amount: -off }] : []),
    ...(shipped ? [{ type: 'fulfillment', display_text: t('bill.shipping'), amount: shipping + shippingSaved }] : []),
    ...(serviceCharge
      ? [{ type: 'fee', display_text: inLocale(serviceCharge.nameContent, locale), amount: serviceCharge.amount }]
      : []),
    ...(itemized
      ? taxes.map(({ label, amount }) => ({ type: 'tax', display_text: label, amount }))
      : [{ type: 'tax', display_text: t('bill.tax'), amount: tax }]),
    ...(tip > 0 ? [{ type: 'tip', display_text: t('bill.tip'), amount: tip }] : []),
    { type: 'total', display_text: t('bill.total'), amount: total },
  ];
}

export function lineBody(line: LineItem, origin: string): Body {
  const { id, lineTotal, quantity, modifiers, note } = line;
  return {
    id,
    item: itemBody(line, origin),
    quantity,
    totals: lineTotals(lineTotal),
    ...(modifiers.length > 0
      ? { modifiers: modifiers.map(({ group, modifier, quantity: many }) => ({ group, modifier, quantity: many })) }
      : {}),
    ...(note === '' ? {} : { note }),
  };
}

export const lineTotals = (amount: number) => [
  { type: 'subtotal', amount },
  { type: 'total', amount },
];

export function itemBody({ sku, productName, optionText, modifierText, unitPrice, image }: LineItem, origin: string): Body {
  const title = [productName, optionText, modifierText].filter((text) => text !== '').join(' · ');
  return { id: sku, title, price: unitPrice, ...(image ? { image_url: origin + fittingUrl(image, 640) } : {}) };
}

export function mediaOf(image: ImageInfo, origin: string): Body {
  const { width, height, alt } = image;
  return { type: 'image', url: origin + fittingUrl(image, pictureWidth), width, height, ...(alt ? { alt_text: alt } : {}) };
}

export function discountsBody({ bill }: Order, codes: readonly string[], locale: Locale): Body {
  const { coupon, discount, shippingSaved } = bill;
  const applied =
    coupon?.state === 'applied'
      ? [
          {
            code: codes.find((code) => isSameCode(code, coupon.code)) ?? coupon.code,
            title: inLocale(coupon.nameContent, locale) || coupon.code,
            amount: discount + shippingSaved,
          },
        ]
      : [];
  return { codes, applied };
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
  links: readonly { label: Parameters<typeof inLocale>[0]; link: string }[],
  origin: string,
  locale: Locale,
): Body[] {
  return links.flatMap(({ label, link }) => {
    const type = linkTypes.find(([pattern]) => pattern.test(link))?.[1];
    const url = link.startsWith('/') ? origin + link : link;
    return type ? [{ type, url, title: inLocale(label, locale) }] : [];
  });
}
