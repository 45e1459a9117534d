/** Fills in the forms of checkout and payment for a shopper in Ontario. */
import { expect } from '@playwright/test';
import type { Shop } from './shop.ts';

export const shopper = {
  firstName: 'Mei',
  lastName: 'Tremblay',
  email: 'mei.tremblay@example.com',
  phone: '416-555-0199',
};
export const address = { street: '18 Dundas Street West', city: 'Toronto', postCode: 'M5G 1Z8' };
/** Test cards of the house gateway. */
export const cards = { approved: '4242 4242 4242 4242', declined: '4000 0000 0000 0002' };

export async function fillContact(shop: Shop): Promise<void> {
  await shop.field('checkout.contact.firstName').fill(shopper.firstName);
  await shop.field('checkout.contact.lastName').fill(shopper.lastName);
  await shop.field('checkout.contact.email').fill(shopper.email);
  // An order for a table asks for a phone number only if the shop requires one.
  const phone = shop.field('checkout.contact.phone');
  if (await phone.isVisible()) await phone.fill(shopper.phone);
}

export async function fillAddress(shop: Shop): Promise<void> {
  await shop.field('checkout.address.street').fill(address.street);
  await shop.field('checkout.address.city').fill(address.city);
  await shop.field('checkout.address.postCode.CA').fill(address.postCode);
}

export async function fillCard(shop: Shop, number: string): Promise<void> {
  await shop.field('payment.card.number').fill(number);
  await shop.field('payment.card.holder').fill(`${shopper.firstName} ${shopper.lastName}`);
  await shop.field('payment.card.expiry').fill(`12 / ${(new Date().getFullYear() + 3) % 100}`);
  await shop.field('payment.card.code').fill('123');
}

export async function goToPayment(shop: Shop): Promise<void> {
  await shop.button(shop.t('checkout.continue')).click();
  await expect(shop.heading).toHaveText(shop.t('payment.title'));
}

export async function chooseMethod(shop: Shop, method: 'shipping' | 'pickup' | 'instore'): Promise<void> {
  await shop.choose(shop.t('checkout.method.title'), new RegExp(`^${shop.t(`checkout.method.${method}`)}`));
}

export async function expectConfirmed(shop: Shop): Promise<void> {
  await expect(shop.heading).toHaveText(shop.like('confirm.titleNamed'));
  await expect(shop.main.getByText(/MC-?\d+/).first()).toBeVisible();
}
