/** Fixtures of every browser test: a shopper of one language, and a watch over console, errors and requests. */
import { test as base, type Page } from '@playwright/test';
import { withoutLaterFunctions } from '#tests/older-browsers.ts';
import { recordLayoutShifts } from './layout-shift.ts';
import { messagesOf, type TestedLanguage } from './messages.ts';
import { Shop } from './shop.ts';
import { reportUnwritten, textsThatNameKeys } from './unwritten.ts';
import { Watch } from './watch.ts';

export interface ShopOptions {
  /** The shopper's language. */
  lang: TestedLanguage;
}

export interface Fixtures {
  shop: Shop;
  /** Console messages, errors and failed requests; a test must allow each one that it expects. */
  watch: Watch;
}

export const test = base.extend<ShopOptions & Fixtures>({
  lang: ['en', { option: true }],
  baseURL: async ({ baseURL: _ }, use) => use(process.env.SHOP_ADDRESS ?? ''),
  watch: [
    async ({ page, context }, use) => {
      await context.addInitScript(withoutLaterFunctions());
      await context.addInitScript(reportUnwritten, textsThatNameKeys);
      const watch = new Watch(page);
      await use(watch);
      watch.expectNoProblems();
    },
    { auto: true },
  ],
  shop: async ({ page, lang, watch, isMobile }, use) => {
    await recordLayoutShifts(page);
    await use(new Shop({ page, lang, watch, phone: isMobile, t: messagesOf(lang) }));
  },
});

/** Tags a test that depends on neither language nor size: it runs in one of the two projects (playwright.config.ts). */
export const once = '@once';

/** Tags one of the `once` tests of a screen: the one that `npm test` runs, while the others are in the rest of `test:all`. */
export const quick = '@quick';

/** Tags a test that draws every screen of a kind: all its projects are in the rest of `test:all`. */
export const rest = '@rest';

export { expect } from '@playwright/test';
export type { Page };
