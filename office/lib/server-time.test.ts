import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const noon = Date.UTC(2026, 4, 16, 12, 0, 0);
const hourMs = 3_600_000;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answerAt = (at: number) => new Response('{}', { headers: { date: new Date(at).toUTCString() } });

test.each([9, -5, 0])(
  'a device whose clock is %i hours off shows the server’s time, also when it opens without a network',
  async (hours) => {
    vi.setSystemTime(noon + hours * hourMs);
    const { learnTime, serverNow } = await import('./server-time.ts');
    learnTime(answerAt(noon));
    expect(serverNow()).toBe(noon);
    vi.setSystemTime(noon + (hours + 1) * hourMs);
    vi.resetModules();
    const opened = await import('./server-time.ts');
    expect(opened.serverNow()).toBe(noon + hourMs);
  },
);

test('a clock that is set right while the page is open counts again from the next answer', async () => {
  vi.setSystemTime(noon + 9 * hourMs);
  const { learnTime, serverNow } = await import('./server-time.ts');
  learnTime(answerAt(noon));
  vi.setSystemTime(noon + 2000);
  learnTime(answerAt(noon));
  expect(serverNow()).toBe(noon + 2000);
  learnTime(new Response('{}'));
  expect(serverNow()).toBe(noon + 2000);
});
