/** Searches the database and the log for the card data of payments, however they end. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { address, card, cards, pay, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { wholeDatabase } from '#tests/whole-database.ts';

const sku = 'MUG-OAT';
const { cardCode, cardHolderName } = card();
/** Not as part of an id or a time. */
const code = new RegExp(`(?<![0-9a-f-])${cardCode}(?![0-9a-f-])`);

forEachEngine((engine) => {
  it('the card number and code are neither stored nor logged', async () => {
    const log: string[] = [];
    const logStream = { write: (line: string) => void log.push(line) };
    const testApp = await createTestApp({
      engine,
      demo: true,
      env: { LOG_LEVEL: 'trace' },
      app: { logStream },
    });
    await sellProduct(testApp, sku);
    // The slow one is as any other, but slow.
    const tried = Object.values(cards).filter((number) => number !== cards.slow);
    for (const number of tried) await pay(testApp, await shopperWithCart(testApp, sku), number);
    const session = await shopperWithCart(testApp, sku);
    const send = (change: object, query = {}) =>
      testApp.ask('postBilling', {
        session,
        params: { gatewayName: 'house' },
        query,
        body: { paymentInstrucment: { ...card(), ...change }, billingAddress: address },
      });
    await send({ unknown: cards.approve });
    await send({ creditCardNumber: [cards.approve] });
    await send({ expirationMonth: '' });
    await send({}, { nonsense: cards.approve });

    const stored = engine === 'sqlite' ? filesOf(testApp) : await wholeDatabase(testApp);
    expect(stored.length).toBeGreaterThan(100_000);
    expect(log.length).toBeGreaterThan(10);
    for (const text of [stored, log.join('')]) {
      for (const number of Object.values(cards)) {
        expect(text.includes(number)).toBe(false);
        expect(text.includes(number.replaceAll(' ', ''))).toBe(false);
        expect(text.includes(encodeURIComponent(number))).toBe(false);
      }
      expect(code.test(text)).toBe(false);
    }
    // What is logged says nothing of the shopper either.
    for (const personal of [cardHolderName, address.city, '519-555'])
      expect(log.join('')).not.toContain(personal);
  });
});

/** Every byte of the database's files, pages given back included. */
function filesOf({ dataDir }: TestApp): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('shop.db'));
  return files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('');
}
