/** Measures how far a page moved by itself (cumulative layout shift). */
import { expect, type Page } from '@playwright/test';

interface Shift {
  value: number;
  nodes: string[];
}

declare global {
  interface Window {
    layoutShifts?: Shift[];
  }
  interface PerformanceEntry {
    value?: number;
    hadRecentInput?: boolean;
    sources?: { node: Node | null }[];
  }
}

/** Must run before the page is opened. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    window.layoutShifts = shifts;
    const name = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${node.className}` : String(node?.nodeName);
    new PerformanceObserver((list) => {
      for (const { value = 0, hadRecentInput, sources = [] } of list.getEntries()) {
        if (!hadRecentInput) shifts.push({ value, nodes: sources.map(({ node }) => name(node)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Scrolls through the whole page first, so that what loads late has loaded. */
export async function expectNoLayoutShift(page: Page, atMost = 0.01): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let y = 0; y < document.documentElement.scrollHeight && y < 12_000; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' });
      await frame();
      await frame();
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await document.fonts.ready;
    await frame();
    await frame();
  });
  const shifts = await page.evaluate(() => window.layoutShifts ?? []);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, `layout shift at ${page.url()}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(atMost);
}
