/**
 * Connects the PayPal fake to a shop in browser tests (tests/browser/payment-shop.ts): its script, its window, its API, its
 * webhooks.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import type { Webhook } from '#server/modules/payments/providers/provider.ts';
import type { Funding } from './forms.ts';
import { type PayPalFake, startPayPalFake } from './paypal.ts';

/** When PayPal sends webhooks to the shop: 'first' is before the page gets its answer. */
export type Delivery = 'never' | 'first' | 'twice';

export interface PayPalBeside extends PayPalFake {
  /** False: PayPal's script is blocked, as content blockers do. */
  script: boolean;
  delivery: Delivery;
  /** The requests of pages to PayPal's hosts in the running test, without queries. */
  visited: string[];
  allowedInLog: RegExp[];
  /** Sends a webhook to the shop. Returns the status of the answer. */
  send(webhook: Webhook): Promise<number>;
  shopAt(address: string): void;
  intoPage(page: Page): Promise<void>;
  stop(): Promise<void>;
}

export async function startPayPalBeside(): Promise<PayPalBeside> {
  const fake = await startPayPalFake();
  let shop = '';
  const file = (name: string) => readFile(join(import.meta.dirname, 'page', name), 'utf8');

  async function agree(token: string, funding: Funding): Promise<void> {
    fake.approve(token, funding);
    const times = { never: 0, first: 1, twice: 2 }[beside.delivery];
    const webhook = fake.webhook(token, 'CHECKOUT.ORDER.APPROVED');
    await Promise.all(Array.from({ length: times }, () => beside.send(webhook)));
  }

  async function answer(route: Route): Promise<void> {
    const { origin, pathname, searchParams } = new URL(route.request().url());
    beside.visited.push(origin + pathname);
    if (pathname === '/sdk/js') {
      if (!beside.script) return route.abort('blockedbyclient');
      return route.fulfill({ contentType: 'text/javascript', body: await file('sdk.js') });
    }
    if (pathname === '/agree') {
      await agree(searchParams.get('token') ?? '', searchParams.get('funding') as Funding);
      return route.fulfill({ body: '' });
    }
    return route.fulfill({ contentType: 'text/html', body: await file('window.html') });
  }

  const beside: PayPalBeside = Object.assign(fake, {
    script: true,
    delivery: 'never' as Delivery,
    visited: [],
    // A test invalidates the shop's token, and the merchant is alerted.
    allowedInLog: [/"alert":"paymentsRefused".*invalid_(?:token|client)/],
    async send({ headers, body }: Webhook) {
      const answered = await fetch(`${shop}/api/webhooks/paypal`, {
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body: body.toString('utf8'),
      });
      return answered.status;
    },
    shopAt(address: string) {
      shop = address;
    },
    async intoPage(page: Page) {
      Object.assign(beside, { script: true, delivery: 'never', visited: [] });
      fake.lift();
      await page.context().route(/^https:\/\/www\.(sandbox\.)?paypal\.com\//, answer);
    },
    stop: fake.close,
  });
  return beside;
}
