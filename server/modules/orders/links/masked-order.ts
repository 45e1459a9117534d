/** Presents an order to whoever has a link to it: without what identifies its buyer. */
import type { Contact, Order, OrderByLink } from '#contract/schemas/order.ts';

/** The order as its link shows it, without its actions. */
export type MaskedOrder = Omit<OrderByLink, 'canCancel' | 'canChangePickup'>;

/** The buyer is reduced to initials, the address to its city. Emails carry the link, and emails are forwarded. */
export function maskedOrder(order: Order): MaskedOrder {
  const {
    orderID: _id,
    customerComment: _note,
    orderContact,
    shippingContact,
    shippingAddress,
    billingAddress: _billing,
    ...shown
  } = order;
  const city = shippingAddress ? cityOf(shippingAddress.city) : '';
  return { ...shown, recipient: { initials: initialsOf(shippingContact ?? orderContact), city } };
}

/** The first letters of a name, such as 'J. L.'; '' without one. */
function initialsOf(contact: Contact | null): string {
  const names = contact ? [contact.firstName, contact.lastName] : [];
  return names
    .flatMap((name) => /\p{L}/u.exec(name)?.[0] ?? [])
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(' ');
}

/**
 * The city if it reads like one, else ''. Anyone can order to a stranger's email address, so what the buyer typed must not reach
 * the stranger as a message or a link (docs/decisions/0041-emails-repeat-no-text-to-unconfirmed-addresses.md).
 */
function cityOf(city: string): string {
  const text = city.trim();
  return /^\p{L}[\p{L}\p{M} '’-]{0,39}$/u.test(text) && text.split(/\s+/).length <= 4 ? text : '';
}
