/**
 * Assigns messages to pages, by the part of the key before the first dot: a browser loads messages of only some pages with the
 * first of them. A test follows the imports of pages and fails if a page uses a message that it does not load.
 */
import type { MessageKey } from '../../contract/locales.ts';

/** 'own': pages about one customer. 'content': the blog and the stores. 'lists': lists of products. 'product': a product. */
export type LaterPart = 'own' | 'content' | 'lists' | 'product';

const groups: Record<LaterPart | 'server', readonly string[]> = {
  own: ['account', 'bill', 'billChanged', 'cart', 'checkout', 'confirm', 'coupon', 'day', 'orderLink', 'payment', 'rule', 'tip'],
  content: ['blog', 'contact'],
  lists: ['brands', 'list', 'search'],
  product: ['product'],
  // The server sends these to the browser as text.
  server: ['error', 'field', 'mail', 'settings'],
};

/** Messages of these groups that every page may use. */
const everywhere: ReadonlySet<string> = new Set<MessageKey>([
  'blog.minutes.one',
  'blog.minutes.other',
  'checkout.back',
  'error.crash',
  'error.noAnswer',
  'list.empty.all',
  'list.more',
  'list.retry',
  'product.onlyLeft.one',
  'product.onlyLeft.other',
  'rule.emailInvalid',
  'rule.emailMissing',
  'rule.outOfStock',
  'rule.phoneInvalid',
  'rule.phoneMissing',
  'rule.quantityInvalid',
  'rule.quantityTooMany',
  'rule.quantityTooManyInCart',
]);

/** The part that a message belongs to: 'all' loads with every page, 'server' with none. */
export function partOf(key: string): LaterPart | 'all' | 'server' {
  if (everywhere.has(key)) return 'all';
  const group = key.slice(0, key.indexOf('.'));
  const parts = Object.keys(groups) as (keyof typeof groups)[];
  return parts.find((part) => groups[part].includes(group)) ?? 'all';
}
