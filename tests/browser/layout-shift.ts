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
          ({ node, previousRect, currentRect }) =>
            `${name(node)} ${extent(previousRect)} → ${extent(currentRect)}`,
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
  // In one call, because dozens of them would take longer than what they wait for.
  await page.evaluate(async () => {
    const drawn = async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    };
    for (let top = 0; top < 12_000; top += 700) {
      window.scrollTo({ top, behavior: 'instant' });
      await drawn();
      if (top >= document.documentElement.scrollHeight - innerHeight) break;
      // Until the calls that scrolling brought about have their answers, drawn.
      while (window.openCalls) await drawn();
      await drawn();
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
    await drawn();
    await document.fonts.ready;
  });
  const shifts = await page.evaluate(() => window.layoutShifts ?? []);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, `layout shift at ${page.url()}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(atMost);
}
