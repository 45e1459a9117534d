/**
 * Browser tests: both languages, on a phone and on a desktop. `npm test -- browser` builds what they need, then runs those of TEST_SCOPE
 * `quick`: the ways to buy in both languages, and every other screen once, without its details.
 */
import { defineConfig, devices, type Project } from '@playwright/test';
import { chromiumPaths, chromiumSwitches } from './chromium.ts';
import { once, quick, rest, type ShopOptions } from './fixtures.ts';

const desktop = { viewport: { width: 1280, height: 900 } };
const phoneSize = { width: 390, height: 844 };
/** One device pixel for a CSS pixel: the phone's own seven would be drawn by the processor, and no test looks at them. */
const phone = { ...devices['Pixel 7'], viewport: phoneSize, screen: phoneSize, deviceScaleFactor: 1 };
const english = { lang: 'en', locale: 'en-CA' } as const;
const chinese = { lang: 'zh', locale: 'zh-CN' } as const;

/** Two projects have either language and either size: enough for what does not hang on the two together. The ways to buy run in all four. */
const coveredByTwo = /\.two\.spec\.ts$/;
/** What measures time, bytes or layout, or draws every screen. */
const slow = /\.slow\.two\.spec\.ts$/;
const waysToBuy = /journeys\.spec\.ts$/;
const details = new RegExp(once);
/** A title with its tags, of what `npm test` runs of a screen. */
const ofQuick = new RegExp(`^(?!.*(?:${once}|${rest}))|${quick}`);

type Screens = Project<ShopOptions>;
const englishDesktop: Screens = { name: 'English, desktop', use: { ...english, ...desktop } };
const englishPhone: Screens = {
  name: 'English, phone',
  use: { ...english, ...phone },
  testIgnore: coveredByTwo,
};
const chineseDesktop: Screens = {
  name: 'Chinese, desktop',
  use: { ...chinese, ...desktop },
  testIgnore: coveredByTwo,
};
const chinesePhone: Screens = { name: 'Chinese, phone', use: { ...chinese, ...phone }, grepInvert: details };

const scopes: Record<string, Screens[]> = {
  quick: [
    { ...englishDesktop, testIgnore: slow, grep: ofQuick },
    { ...chinesePhone, testMatch: waysToBuy },
  ],
  rest: [
    { ...englishDesktop, testIgnore: slow, grepInvert: ofQuick },
    { ...englishDesktop, name: 'English, desktop, slow', testMatch: slow },
    englishPhone,
    chineseDesktop,
    { ...chinesePhone, testIgnore: waysToBuy },
  ],
};

export default defineConfig<ShopOptions>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/browser',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  // One more than there are cores where this runs: each waits now and then, for a page or for what it watches.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // Generous, for machines that do other things as well: what passes never waits for them.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.BROWSER_REPORT ?? '../../test-results/browser.json' }],
  ],
  use: {
    timezoneId: 'America/Toronto',
    // Recording costs a sixth of the time: `--trace on` where one is looked for.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 30_000,
    launchOptions: { executablePath: chromiumPaths()[0], args: chromiumSwitches() },
  },
  projects: scopes[process.env.TEST_SCOPE ?? ''] ?? [
    englishDesktop,
    englishPhone,
    chineseDesktop,
    chinesePhone,
  ],
});
