/** Checks a page with axe for serious accessibility findings, and that all of it lies in landmarks. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectNoSeriousAxe(page: Page): Promise<void> {
  // Colours are measured as they are at rest, not in the middle of a transition. What a closed fold hides
  // stands still in the middle of its own, and nobody sees it.
  await page.evaluate(() => {
    const moving = ({ effect }: Animation) =>
      effect?.getTiming().iterations !== Number.POSITIVE_INFINITY &&
      !(effect instanceof KeyframeEffect && effect.target?.checkVisibility() === false);
    return Promise.allSettled(
      document
        .getAnimations()
        .filter(moving)
        .map(({ finished }) => finished),
    );
  });
  // Frames belong to other sites, and the mode that reads them takes twice as long. Passes are not needed.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ iframes: false, resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const serious = violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'region')
    .map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
  expect(serious, `axe at ${page.url()}`).toEqual([]);
  await expectLabelsInNames(page);
}

/** WCAG 2.5.3: who says what a control shows must reach it. axe compares Latin text only. */
async function expectLabelsInNames(page: Page): Promise<void> {
  const hidden = await page.evaluate(() => {
    const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    return [...document.querySelectorAll<HTMLElement>(':is(a, button, summary, [role=button])[aria-label]')]
      .filter((control) => control.checkVisibility() && !bare(control.ariaLabel ?? '').includes(bare(control.innerText)))
      .map(({ ariaLabel, innerText }) => `“${innerText}” is named “${ariaLabel}”`);
  });
  expect(hidden, `names without the visible text at ${page.url()}`).toEqual([]);
}
