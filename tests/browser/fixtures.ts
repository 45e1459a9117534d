/** What every browser test starts with: a shopper of one language in front of an open shop, watched for anything odd. */
import { test as base, type Page } from '@playwright/test';
import { recordLayoutShifts } from './layout-shift.ts';
import { messagesOf, type TestedLanguage } from './messages.ts';
import { Shop } from './shop.ts';
import { Watch } from './watch.ts';

export interface ShopOptions {
  /** The shopper's language. */
  lang: TestedLanguage;
}

export interface Fixtures {
  shop: Shop;
  /** Everything that the page said or that failed; a test must foresee each of it. */
  watch: Watch;
}

export const test = base.extend<ShopOptions & Fixtures>({
  lang: ['en', { option: true }],
  baseURL: async ({ baseURL: _ }, use) => use(process.env.SHOP_ADDRESS ?? ''),
  watch: [
    async ({ page }, use) => {
      const watch = new Watch(page);
      await use(watch);
      watch.expectNothingOdd();
    },
    { auto: true },
  ],
  shop: async ({ page, lang, watch, isMobile }, use) => {
    await recordLayoutShifts(page);
    await use(new Shop({ page, lang, watch, phone: isMobile, t: messagesOf(lang) }));
  },
});

/** A test of what hangs neither on the language nor on the size: it runs in one of the two projects (playwright.config.ts). */
export const once = '@once';

export { expect } from '@playwright/test';
export type { Page };
