/** Braintree beside a shop in browser tests (tests/browser/payment-shop.ts): its script, the requests of that script, its gateway. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { type BraintreeFake, startBraintreeFake } from './braintree.ts';
import type { NonceKind } from './nonces.ts';

/**
 * Card numbers that the replacement form knows. The sandbox itself declines sales by their amount.
 * https://developer.paypal.com/braintree/docs/reference/general/testing
 */
export const dropinCards = {
  good: '4111111111111111',
  declined: '4000111111111115',
  fraud: '4000111111111511',
  /** The bank asks its holder. https://developer.paypal.com/braintree/docs/guides/3d-secure/testing */
  asksHolder: '4000000000001091',
};

const kinds: Readonly<Record<string, NonceKind>> = {
  [dropinCards.declined]: 'declined',
  [dropinCards.fraud]: 'fraud',
};

export interface BraintreeBeside extends BraintreeFake {
  /** False: Braintree's script is blocked, as content blockers do. */
  script: boolean;
  /** The requests of pages to Braintree's hosts in the running test, without queries. */
  visited: string[];
  intoPage(page: Page): Promise<void>;
  stop(): Promise<void>;
}

export async function startBraintreeBeside(): Promise<BraintreeBeside> {
  const fake = await startBraintreeFake();

  async function answer(route: Route): Promise<void> {
    const request = route.request();
    const { origin, pathname } = new URL(request.url());
    beside.visited.push(origin + pathname);
    if (origin === 'https://js.braintreegateway.com') {
      if (!beside.script) return route.abort('blockedbyclient');
      const body = await readFile(join(import.meta.dirname, 'page/dropin.js'), 'utf8');
      return route.fulfill({ contentType: 'text/javascript', body });
    }
    const headers = { 'access-control-allow-origin': '*' };
    const verified = /\/payment_methods\/(\w+)\/three_d_secure\//.exec(pathname)?.[1];
    if (verified) fake.verifyNonce(verified);
    if (!pathname.endsWith('/credit_cards')) return route.fulfill({ json: {}, headers });
    const { number } = request.postDataJSON() as { number: string };
    const nonce = fake.nonce(kinds[number] ?? 'good');
    return route.fulfill({ json: { nonce, asksHolder: number === dropinCards.asksHolder }, headers });
  }

  const beside: BraintreeBeside = Object.assign(fake, {
    script: true,
    visited: [],
    async intoPage(page: Page) {
      Object.assign(beside, { script: true, visited: [], threeDSecure: false });
      fake.lift();
      await page.context().route(/^https:\/\/(js|api\.sandbox)\.braintreegateway\.com(:443)?\//, answer);
    },
    stop: fake.close,
  });
  return beside;
}
