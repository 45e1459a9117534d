/**
 * Messages that only the pages of one shopper's own say (`isPrivatePath`): half of all. A browser gets
 * them with the first such page. A test walks what public pages import, and fails where one says them.
 */
const ownGroups = ['account', 'bill', 'billChanged', 'cart', 'checkout', 'confirm', 'coupon', 'day', 'payment', 'tip'];

/** Whether a message key belongs to one of those groups, by its part before the first dot. */
export function isOwnMessage(key: string): boolean {
  return ownGroups.includes(key.slice(0, key.indexOf('.')));
}
