/**
 * Which pages say a message, by the part of its key before the first dot: a browser fetches what only some
 * pages say with the first of them. A test walks what pages import, and fails where one says more than it has.
 */
import type { MessageKey } from '../../contract/locales.ts';

/** 'own': pages of one shopper's own. 'content': the blog and the stores. */
export type LaterPart = 'own' | 'content';

const groups: Record<LaterPart | 'server', readonly string[]> = {
  own: ['account', 'bill', 'billChanged', 'cart', 'checkout', 'confirm', 'coupon', 'day', 'payment', 'rule', 'tip'],
  content: ['blog', 'contact'],
  // What the server says reaches a browser in words.
  server: ['error', 'field', 'mail', 'settings'],
};

/** Those of these groups that every page may say. */
const everywhere: ReadonlySet<string> = new Set<MessageKey>([
  'blog.minutes.one',
  'blog.minutes.other',
  'error.crash',
  'error.noAnswer',
  'rule.emailInvalid',
  'rule.emailMissing',
  'rule.outOfStock',
  'rule.phoneInvalid',
  'rule.phoneMissing',
  'rule.quantityInvalid',
  'rule.quantityTooMany',
  'rule.quantityTooManyInCart',
]);

/** Which part a message belongs to: 'all' comes with every page, 'server' with none. */
export function partOf(key: string): LaterPart | 'all' | 'server' {
  if (everywhere.has(key)) return 'all';
  const group = key.slice(0, key.indexOf('.'));
  if (groups.own.includes(group)) return 'own';
  if (groups.content.includes(group)) return 'content';
  return groups.server.includes(group) ? 'server' : 'all';
}
