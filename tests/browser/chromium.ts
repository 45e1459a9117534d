/**
 * Finds a browser for the tests: the system’s Chrome or Chromium, else the one installed by Playwright. Debian’s headless shell
 * comes first: it draws the same pages with two thirds of the processor time.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome.exe',
];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** @throws when there is none, saying how to get one */
export function chromiumPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  const found = [...onPath, ...places, chromium.executablePath()].find(canRun);
  if (found) return found;
  throw new Error(
    'The browser tests need Chrome or Chromium, and there is none here. On Debian or Ubuntu: apt-get install chromium. ' +
      'Elsewhere: install Chrome, or run `npx playwright install chromium`.',
  );
}

/** Keeps the browser from asking the network for anything of its own; root, as in a container, has no sandbox. */
export function chromiumSwitches(): string[] {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--no-first-run',
    '--disable-sync',
  ];
  return process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
