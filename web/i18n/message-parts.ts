/** By the part of the key before the first dot. A test follows the imports of pages and fails for a message that a page does not load. */
import type { MessageKey } from '../../contract/locales.ts';

/** 'own': pages about one customer. 'content': blog and stores. 'product': a product's first view. 'more': the rest of it, loaded later. */
export type LaterPart = 'own' | 'content' | 'lists' | 'product' | 'more';

const groups: Record<LaterPart | 'server', readonly string[]> = {
  own: [
    'account',
    'bill',
    'billChanged',
    'cart',
    'checkout',
    'confirm',
    'coupon',
    'day',
    'order',
    'orderLink',
    'payment',
    'rule',
    'table',
    'ticket',
    'tip',
  ],
  content: ['blog', 'contact'],
  lists: ['brands', 'list', 'search'],
  product: ['product'],
  more: ['modifiers', 'set'],
  // The server sends these to the browser as text.
  server: ['agents', 'error', 'fact', 'field', 'mail', 'menu', 'opening', 'settings', 'spec'],
};

/** Messages of these groups that every page may use. */
const everywhere: ReadonlySet<string> = new Set<MessageKey>([
  'blog.minutes.one',
  'blog.minutes.other',
  'checkout.back',
  'contact.closed',
  'contact.hours',
  'error.cookies',
  'error.crash',
  'error.noAnswer',
  'list.empty.all',
  'list.more',
  'list.retry',
  'list.title.new',
  'product.onlyLeft.one',
  'product.onlyLeft.other',
  'product.option.adds',
  'rule.emailInvalid',
  'rule.notForSaleYet',
  'rule.outOfStock',
  'rule.phoneInvalid',
  'rule.quantityInvalid',
  'rule.quantityTooMany',
  'rule.quantityTooManyInCart',
]);

/** Messages of a product's page that no first view shows. */
const later =
  /^rule\.(?:modifier|note)|^product\.(?:added|checkout|chooseInstead|related\.soldOut|delivery|details|goToCart|ok$|oops|pickup\.|specification|store\.|tags|unavailable|zoom\.)/;

/** Of groups that pages load, what only the server says. */
const ofServer =
  /^(?:block\.(?:feedUnavailable|formGone)|card\.inStoreOrNearby|checkout\.address\.(?:city|postCode|street|province\.(?!choose|others)).*)$/;

/** The part that a message belongs to: 'all' loads with every page, 'server' with none. */
export function partOf(key: string): LaterPart | 'all' | 'server' {
  if (everywhere.has(key)) return 'all';
  if (later.test(key)) return 'more';
  if (ofServer.test(key)) return 'server';
  const [group = key] = key.split('.');
  const parts = Object.keys(groups) as (keyof typeof groups)[];
  return parts.find((part) => groups[part].includes(group)) ?? 'all';
}
