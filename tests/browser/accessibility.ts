/** What axe finds wrong with a page, as far as it is serious. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectNoSeriousAxe(page: Page): Promise<void> {
  // Colours are measured as they are at rest, not in the middle of a transition.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .map(({ finished, effect }) => (effect?.getTiming().iterations === Number.POSITIVE_INFINITY ? null : finished)),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
  expect(serious, `axe at ${page.url()}`).toEqual([]);
}
