/** Opens the payment page with a mug in the cart, and reads its messages. */
import { expect, type Locator } from '@playwright/test';
import type { MessageKey } from '#contract/locales.ts';
import { address, shopper } from './checkout.ts';
import type { Shop } from './shop.ts';

export const mug = 'MC-CM-01-OAT';

/** A cart that is to be shipped to Toronto, made without the screens before. */
export async function fillCart(shop: Shop, itemName = mug): Promise<void> {
  await shop.call('addToCart', { params: { itemName }, body: { quantity: 1 } });
  await shop.call('orderDeliverInfo', {
    body: {
      address: {
        streetNumberAndNameDetails: address.street,
        city: address.city,
        province: 'Ontario',
        postCode: address.postCode,
        countryISOCode: 'CA',
      },
      contact: {
        firstName: shopper.firstName,
        lastName: shopper.lastName,
        email: shopper.email,
        phoneNumber: shopper.phone,
      },
    },
  });
}

export async function openPayment(shop: Shop): Promise<void> {
  await fillCart(shop);
  await shop.open('/payment');
  await expect(
    shop.main
      .getByRole('group', { name: shop.t('payment.method.title') })
      .or(payButton(shop))
      .first(),
  ).toBeVisible();
}

export function payButton(shop: Shop): Locator {
  return shop.button(shop.like('payment.pay'));
}

export async function pay(shop: Shop): Promise<void> {
  await press(payButton(shop));
}

/**
 * Presses a button at the edge of a provider's frame, or in it. The browser routes the pointer by where it last drew the frames of
 * other origins, so for a moment after a scroll, or after a frame has appeared, the press goes to what was there before.
 * A hand is slower than that; a test is not.
 */
export async function press(button: Locator): Promise<void> {
  await expect(async () => {
    await button.hover();
    expect(await button.evaluate((node) => node.matches(':hover'))).toBe(true);
  }).toPass();
  await button.click();
}

/** One of the popups of SPEC §8, with its text. */
export async function expectPopup(
  shop: Shop,
  name: 'authorization' | 'validation' | 'transaction' | 'system' | 'network',
  text: MessageKey = `payment.error.${name}.text`,
): Promise<Locator> {
  const popup = shop.page.getByRole('alertdialog', { name: shop.t(`payment.error.${name}.title`) });
  await expect(popup).toContainText(shop.t(text));
  return popup;
}

export async function closePopup(shop: Shop, popup: Locator): Promise<void> {
  await popup.getByRole('button', { name: shop.t('payment.ok'), exact: true }).click();
  await expect(popup).toBeHidden();
}

/** The cart as the shop has it, whatever the page says. */
export async function cartOf(shop: Shop): Promise<{ state: string; lineItems: { sku: string }[] }> {
  return (await shop.call('myCart')) as { state: string; lineItems: { sku: string }[] };
}
