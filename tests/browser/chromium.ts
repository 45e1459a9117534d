/** Finds the browsers for the tests. Run as a program it prints their paths, for `npm test`. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** Debian’s: it draws the same pages as a whole browser with two thirds of the processor time, so it comes first. */
const headlessShells = ['chromium-headless-shell'];
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The browser for all tests, and one of the other kind, if there is any, for those that it may treat differently. The kinds are
 * the headless shell and a whole browser: the system’s Chrome or Chromium, else Playwright’s. CHROMIUM_PATH names the only one.
 *
 * @throws when there is none, saying how to get one
 */
export function chromiumPaths(): [string, ...string[]] {
  const { CHROMIUM_PATH: chosen, PATH = '' } = process.env;
  const onPath = (commands: string[]) =>
    commands.flatMap((command) => PATH.split(delimiter).map((folder) => join(folder, command)));
  const kinds = chosen
    ? [[chosen]]
    : [onPath(headlessShells), [...onPath(wholeBrowsers), ...places, chromium.executablePath()]];
  const [first, ...others] = kinds.flatMap((paths) => paths.find(canRun) ?? []);
  if (first) return [first, ...others];
  throw new Error(
    chosen
      ? `CHROMIUM_PATH is ${chosen}, and there is no program to run there.`
      : 'The browser tests need Chrome or Chromium, and there is none here. On Debian or Ubuntu: ' +
          'apt-get install chromium-headless-shell. Elsewhere: install Chrome, or run `npx playwright install chromium`.',
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

if (import.meta.main) {
  try {
    console.log(chromiumPaths().join('\n'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
