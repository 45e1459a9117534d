/** Tests with a demo shop of their own: what they change would be in what others read. */
import { test as base } from './fixtures.ts';
import { type RunningShop, startDemoShop, startWithinMs } from './server.ts';

export const test = base.extend<object, { ownShop: RunningShop }>({
  ownShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const shop = await startDemoShop();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: startWithinMs },
  ],
  baseURL: async ({ ownShop }, use) => use(ownShop.address),
});
