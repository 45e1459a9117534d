/** Checks a page with axe for serious accessibility findings, and that all of it lies in landmarks. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

/** Minified, because each page compiles it again. Its binding for Playwright puts the readable source in, twice. */
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Axe {
  run: (options: object) => Promise<{
    violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  }>;
  _audit: { rules: { id: string; impact: string }[] };
}

export async function expectNoSeriousAxe(page: Page): Promise<void> {
  // Colours are measured as they are at rest, not in the middle of a transition. What a closed fold hides
  // stands still in the middle of its own, and nobody sees it.
  const loaded = await page.evaluate(async () => {
    const moving = ({ effect }: Animation) =>
      effect?.getTiming().iterations !== Number.POSITIVE_INFINITY &&
      !(effect instanceof KeyframeEffect && effect.target?.checkVisibility() === false);
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(moving)
        .map(({ finished }) => finished),
    );
    return 'axe' in window;
  });
  if (!loaded) {
    // The page's policy forbids scripts of others; the debugger's are not the page's. It stays attached, because detaching it takes
    // away the passkeys that a test simulates.
    const debugging = await page.context().newCDPSession(page);
    await debugging.send('Runtime.evaluate', { expression: axeSource });
  }
  const serious = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    // Labels in names are compared below: axe compares words between blanks, of which Chinese has none.
    const isUsed = ({ id, impact }: { id: string; impact: string }) =>
      id === 'region' ||
      (id !== 'label-content-name-mismatch' && (impact === 'serious' || impact === 'critical'));
    const unused = axe._audit.rules.filter((rule) => !isUsed(rule));
    const rules = Object.fromEntries(unused.map(({ id }) => [id, { enabled: false }]));
    // Frames belong to other sites. Passes are not needed.
    const { violations } = await axe.run({ rules, iframes: false, resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  });
  expect(serious, `axe at ${page.url()}`).toEqual([]);
  await expectLabelsInNames(page);
}

/** WCAG 2.5.3: who says what a control shows must reach it. */
async function expectLabelsInNames(page: Page): Promise<void> {
  const hidden = await page.evaluate(() => {
    const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    return [...document.querySelectorAll<HTMLElement>(':is(a, button, summary, [role=button])[aria-label]')]
      .filter(
        (control) =>
          control.checkVisibility() && !bare(control.ariaLabel ?? '').includes(bare(control.innerText)),
      )
      .map(({ ariaLabel, innerText }) => `“${innerText}” is named “${ariaLabel}”`);
  });
  expect(hidden, `names without the visible text at ${page.url()}`).toEqual([]);
}
