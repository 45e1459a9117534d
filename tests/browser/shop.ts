/** A shopper's way through the shop, in the shopper's own language. Things are found by role and name, as a shopper finds them. */
import type { Locator, Page, Response } from '@playwright/test';
import type { Locale } from '#contract/locales.ts';
import type { Translate } from '#contract/translate.ts';
import { localizePath } from '#web/lib/locale-path.ts';
import type { Watch } from './watch.ts';

export class Shop {
  readonly page: Page;
  readonly lang: Locale;
  readonly watch: Watch;
  readonly phone: boolean;
  readonly t: Translate;

  constructor(parts: { page: Page; lang: Locale; watch: Watch; phone: boolean; t: Translate }) {
    this.page = parts.page;
    this.lang = parts.lang;
    this.watch = parts.watch;
    this.phone = parts.phone;
    this.t = parts.t;
  }

  /** Opens an address (without language) as typed into the browser, and waits until it answers to clicks. */
  async open(path: string): Promise<Response | null> {
    const response = await this.page.goto(this.url(path));
    await this.alive();
    return response;
  }

  /** An address in the shopper's language. */
  url(path: string): string {
    const at = path.search(/[?#]|$/);
    return localizePath(path.slice(0, at) || '/', this.lang) + path.slice(at);
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  get heading(): Locator {
    return this.main.getByRole('heading', { level: 1 });
  }

  /** Waits until the browser has taken the server's page over: before that, a click may go nowhere. */
  async alive(): Promise<void> {
    await this.page.waitForFunction(() => {
      const taken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'));
      const controls = [...document.querySelectorAll('main, main :is(a, button, input, select, textarea)')];
      return controls.length > 0 && controls.every(taken);
    });
  }
}
