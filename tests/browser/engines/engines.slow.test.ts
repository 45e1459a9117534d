/**
 * The ways to buy and a person's work in the office in Firefox and WebKit, of those that this machine has (Debian: `firefox-esr`;
 * `webkit2gtk-driver` and `xvfb`). Chromium does all of it, and more, in the folder above.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { staffTranslate } from '#contract/staff/messages.ts';
import { buy } from '#tests/fault/buying.ts';
import { address, cards, shopper } from '../checkout.ts';
import { productName, store } from '../demo.ts';
import { messagesOf, messageText } from '../messages.ts';
import { type RunningShop, startShop, startWithinMs } from '../server.ts';
import { type EngineName, engines, Visitor } from './webdriver.ts';

const t = messagesOf('en');
const office = staffTranslate('en');
/** A text with anything in place of its values. */
const like = (text: string) => new RegExp(`^${text.replace(/\{\w+\}/g, '.+')}$`);
const latte = productName('matcha-latte', 'en');

/** Pictures of what failed, beside those of the browser tests. */
const pictures = join(import.meta.dirname, '../../../test-results/engines');

describe.each(['Firefox', 'WebKit'] as const)('in %s', (engine: EngineName) => {
  describe.runIf(engines[engine].isHere)('a shop', () => {
    let shop: RunningShop;
    let visitor: Visitor;
    beforeAll(async () => {
      shop = await startShop({ DEMO: '1', DEMO_PAST: '0' });
      visitor = await Visitor.with(engine);
    }, startWithinMs);
    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return;
      mkdirSync(pictures, { recursive: true });
      writeFileSync(join(pictures, `${engine} ${task.name}.png`), await visitor.picture());
    });
    afterAll(async () => {
      await visitor?.end();
      await shop?.stop();
    });
    const open = (path: string) => visitor.open(`${shop.address}${path}`);

    async function orderFrom(product: string, method: 'shipping' | 'pickup' | 'instore'): Promise<void> {
      await open(`/product/${product}`);
      await visitor.press(
        new RegExp(`^(${t('product.add')}|${messageText('en', 'modifiers.add').replace('{amount}', '.+')})$`),
      );
      await visitor.press(t('product.goToCart'));
      await visitor.press(t('cart.checkout'));
      await visitor.choose(t(`checkout.method.${method}`));
    }
    async function giveContact(): Promise<void> {
      await visitor.fill(t('checkout.contact.firstName'), shopper.firstName);
      await visitor.fill(t('checkout.contact.lastName'), shopper.lastName);
      await visitor.fill(t('checkout.contact.email'), shopper.email);
    }
    const queenWest = store('toronto-queen-west', 'en').name;

    it('a bowl is shipped and paid by card', async () => {
      await orderFrom('rice-bowl', 'shipping');
      await visitor.fill(t('checkout.address.street'), address.street);
      await visitor.fill(t('checkout.address.city'), address.city);
      await visitor.fill(t('checkout.address.postCode.CA'), address.postCode);
      await giveContact();
      await visitor.fill(t('checkout.contact.phone'), shopper.phone);
      await visitor.press(t('checkout.continue'));
      await visitor.fill(t('payment.card.number'), cards.approved);
      await visitor.fill(t('payment.card.holder'), 'Mei Tremblay');
      await visitor.fill(t('payment.card.expiry'), `12 / ${(new Date().getFullYear() + 3) % 100}`);
      await visitor.fill(t('payment.card.code'), '123');
      await visitor.press(like(messageText('en', 'payment.pay')));
      await visitor.see(t('confirm.titleNamed', { name: shopper.firstName }));
    });

    it('a teapot is kept for pickup', async () => {
      await orderFrom('celadon-teapot', 'pickup');
      await visitor.choose(queenWest);
      await giveContact();
      await visitor.fill(t('checkout.contact.phone'), shopper.phone);
      await visitor.press(t('checkout.continue'));
      await visitor.choose(t('payment.method.store'));
      await visitor.press(t('payment.reserve'));
      await visitor.see(t('confirm.titleNamed', { name: shopper.firstName }));
    });

    it('a latte is ordered to a table', async () => {
      await orderFrom('matcha-latte', 'instore');
      await visitor.choose(queenWest);
      await visitor.fill(t('checkout.table.number'), '7');
      await giveContact();
      await visitor.press(t('checkout.continue'));
      await visitor.choose(t('payment.method.store'));
      await visitor.press(t('payment.reserve'));
      await visitor.see(t('confirm.instore.next', { table: '7' }));
    });

    const numbersOnScreen = () =>
      visitor.run<string[]>('return document.body.innerText.match(/MC-\\d{4}-\\d+/g) ?? []');

    it('the desk shows an order that arrives', async () => {
      await open('/office');
      await visitor.press(/Mei Chen/);
      await visitor.press(office('office.desk'));
      await visitor.see(latte);
      const before = await numbersOnScreen();
      expect(await buy(shop.address, 'MC-CM-01-OAT')).not.toBeNull();
      await expect.poll(numbersOnScreen).toHaveLength(before.length + 1);
    });

    it('a unit of an order is refunded', async () => {
      await open('/office/orders');
      await visitor.press(/^MC-\d{4}-\d+/);
      await visitor.press(office('office.refund.title'));
      await visitor.press(like(office('office.refund.more', { product: '{product}' })));
      await visitor.press(like(office('office.refund.send', { amount: '{amount}' })));
      await visitor.see(office('office.order.refund.done'));
    });

    it('the price of a product is changed', async () => {
      await open('/office/goods/rice-bowl');
      await visitor.fillNamed('priceCents', '31.50');
      await visitor.press(office('office.save'));
      await visitor.see(office('office.document.saved'));
      await open('/product/rice-bowl');
      await visitor.see('$31.50');
    });

    it('customers come from a file', async () => {
      const file = join(shop.dataDir, 'Customers.csv');
      writeFileSync(file, 'First Name,Last Name,Email\nAda,Byron,ada@byron.example\n');
      await open('/office/imports');
      await visitor.upload(file);
      await visitor.press(office('office.imports.apply', { count: 1 }));
      await visitor.see(office('office.imports.state.done'));
    });
  });
});
