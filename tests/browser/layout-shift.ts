/** Measures how far a page moved by itself (cumulative layout shift). */
import { expect, type Page } from '@playwright/test';

interface Shift {
  value: number;
  /** How far the page was scrolled, in CSS pixels. */
  scrolled: number;
  /** What moved, with its top and height before and after. */
  nodes: string[];
}

declare global {
  interface Window {
    layoutShifts?: Shift[];
    /** Calls by fetch without an answer yet. */
    openCalls?: number;
  }
  interface PerformanceEntry {
    value?: number;
    hadRecentInput?: boolean;
    sources?: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
}

/** Must run before the page is opened. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    window.layoutShifts = shifts;
    const name = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${node.className}` : String(node?.nodeName);
    const extent = ({ top, height }: DOMRectReadOnly) => `${Math.round(top)}+${Math.round(height)}`;
    new PerformanceObserver((list) => {
      for (const { value = 0, hadRecentInput, sources = [] } of list.getEntries()) {
        const nodes = sources.map(
          ({ node, previousRect, currentRect }) => `${name(node)} ${extent(previousRect)} → ${extent(currentRect)}`,
        );
        if (!hadRecentInput) shifts.push({ value, scrolled: Math.round(scrollY), nodes });
      }
    }).observe({ type: 'layout-shift', buffered: true });
    const call = window.fetch;
    window.openCalls = 0;
    window.fetch = (...request) => {
      window.openCalls = (window.openCalls ?? 0) + 1;
      return call(...request).finally(() => {
        window.openCalls = (window.openCalls ?? 1) - 1;
      });
    };
  });
}

/** Looks through the whole page first, as somebody who reads would, so that what comes late has come. */
export async function expectNoLayoutShift(page: Page, atMost = 0.01): Promise<void> {
  for (let at = 0; at < 12_000; at += 700) {
    if (!(await scrollTo(page, at))) break;
    await answered(page);
  }
  await scrollTo(page, 0);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  const shifts = await page.evaluate(() => window.layoutShifts ?? []);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, `layout shift at ${page.url()}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(atMost);
}

/** Returns once the page is drawn there; false where the page ends before. */
function scrollTo(page: Page, top: number): Promise<boolean> {
  return page.evaluate(async (y) => {
    const frame = () => new Promise(requestAnimationFrame);
    window.scrollTo({ top: y, behavior: 'instant' });
    await frame();
    await frame();
    return y < document.documentElement.scrollHeight - innerHeight;
  }, top);
}

/** Until the calls that scrolling brought about have their answers, drawn. */
async function answered(page: Page): Promise<void> {
  await page.waitForFunction(() => (window.openCalls ?? 0) === 0);
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}
