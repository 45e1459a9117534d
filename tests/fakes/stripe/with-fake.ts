/** Connects the Stripe fake to a shop in browser tests (tests/browser/payment-shop.ts). */
import type { Page } from '@playwright/test';
import { answerAsStripe } from './browser.ts';
import { type StripeFake, startStripeFake } from './server.ts';

/** The fake, with settings for the page of the running test. */
export interface StripeBeside extends StripeFake {
  /** False: Stripe's script is blocked, as content blockers do. */
  script: boolean;
  /** The requests of pages to Stripe's hosts in the running test. */
  asked: string[];
  shopAt(address: string): void;
  intoPage(page: Page): Promise<void>;
  stop(): Promise<void>;
}

export async function startStripeBeside(): Promise<StripeBeside> {
  const fake = await startStripeFake();
  const beside: StripeBeside = {
    ...fake,
    script: true,
    asked: [],
    shopAt(address) {
      fake.webhooks.url = `${address}/api/webhooks/stripe`;
    },
    async intoPage(page) {
      Object.assign(beside, { script: true, asked: [] });
      fake.faults.clear();
      fake.webhooks.delivery = 'after';
      await answerAsStripe(page.context(), fake, beside);
    },
    stop: fake.close,
  };
  return beside;
}
