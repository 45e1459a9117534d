/**
 * Tests of paying by somebody else's service: each worker has a shop of its own beside a fake of the
 * provider, and every page's requests to the provider's hosts are answered by the fake.
 */
import type { Page } from '@playwright/test';
import { test as base } from './fixtures.ts';
import { type RunningShop, startShop, startWithinMs } from './server.ts';

export interface ProviderFake {
  /** The shop's environment: the keys, and where the fake listens. */
  env: Record<string, string>;
  /** Told where the shop listens, for webhooks. */
  shopAt?(address: string): void;
  /** Answers what this page asks of the provider's hosts, its browser script first of all: `page.route(…)`. */
  intoPage(page: Page): Promise<void>;
  /** Lines of the shop's log, of level error and above, that tests bring about. */
  allowedInLog?: RegExp[];
  stop(): Promise<void>;
}

interface Beside<F> {
  besides: { fake: F; server: RunningShop };
}

/** The shop looks after its payments each minute, also while a test keeps the provider from answering. */
const unasked = /Refunds and disputes not checked/;

/** The `test` of a spec file whose shop is started with `start`'s fake. Tests get that fake as `fake`. */
export function testBeside<F extends ProviderFake>(start: () => Promise<F>) {
  return base.extend<{ fake: F; intoPage: undefined }, Beside<F>>({
    besides: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
      async ({}, use) => {
        const fake = await start();
        const server = await startShop({ DEMO: '1', ...fake.env });
        fake.shopAt?.(server.address);
        await use({ fake, server });
        await server.stop();
        await fake.stop();
        const allowed = [...(fake.allowedInLog ?? []), unasked];
        const problems = server
          .log()
          .filter((line) => isError(line) && !allowed.some((pattern) => pattern.test(line)));
        if (problems.length > 0)
          throw new Error(`The shop’s log has unexpected errors:\n${problems.join('\n')}`);
      },
      { scope: 'worker', timeout: startWithinMs },
    ],
    fake: async ({ besides }, use) => use(besides.fake),
    baseURL: async ({ besides }, use) => use(besides.server.address),
    intoPage: [
      async ({ page, besides }, use) => {
        await besides.fake.intoPage(page);
        await use(undefined);
      },
      { auto: true },
    ],
  });
}

function isError(line: string): boolean {
  return !/^\{.*"level":(10|20|30|40|"(trace|debug|info|warn)")/.test(line);
}
