/** A shopper in the shop, in one language. Elements are found by role and name. */
import { expect, type Locator, type Page, type Response } from '@playwright/test';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { localizePath, type MessageKey } from '#contract/locales.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import type { Translate } from '#contract/translate.ts';
import { type CallParts, requestOf } from '#contract/transport.ts';
import { messageText, type TestedLanguage } from './messages.ts';
import type { Watch } from './watch.ts';

export class Shop {
  readonly page: Page;
  readonly lang: TestedLanguage;
  readonly watch: Watch;
  readonly phone: boolean;
  readonly t: Translate;

  constructor(parts: { page: Page; lang: TestedLanguage; watch: Watch; phone: boolean; t: Translate }) {
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

  /** A message as a pattern, with anything in place of its values: for words that carry an amount or a time. */
  like(key: MessageKey): RegExp {
    const parts = messageText(this.lang, key).split(/\{\w+\}/);
    return new RegExp(`^${parts.map(literal).join('.+')}$`);
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  get heading(): Locator {
    return this.main.getByRole('heading', { level: 1 });
  }

  /** The way to the cart, at the head of every page, with the number of units in it. */
  cartLink(units: number): Locator {
    const name = units === 0 ? this.t('shell.cart') : this.t('shell.cart.count', { count: units });
    return this.page.getByRole('banner').getByRole('link', { name, exact: true });
  }

  link(name: string): Locator {
    return this.main.getByRole('link', { name, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.main.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** A text field or a list to choose from, by its label, which may say that the field is optional. */
  field(key: MessageKey): Locator {
    const name = new RegExp(`^${literal(this.t(key))}( ${literal(this.t('ui.optional'))})?$`);
    return this.main.getByRole('textbox', { name }).or(this.main.getByRole('combobox', { name })).first();
  }

  async choose(group: string, answer: string | RegExp): Promise<void> {
    await this.main.getByRole('radiogroup', { name: group }).getByRole('radio', { name: answer }).check();
  }

  /** Types into the search box; on a phone it is opened first. */
  async search(text: string): Promise<Locator> {
    const box = this.page.getByRole('combobox', { name: this.t('shell.search.label') });
    if (!(await box.isVisible()))
      await this.page.getByRole('link', { name: this.t('shell.search.open') }).click();
    await box.fill(text);
    return box;
  }

  /** What opens when a product was added: a drawer on a desktop, a sheet over the page on a phone. */
  get addedPanel(): Locator {
    return this.page.getByRole(this.phone ? 'region' : 'dialog', { name: this.t('product.added') });
  }

  /** On a product's page: puts it in the cart, and goes there by the panel that says so. */
  async addAndGoToCart(): Promise<void> {
    const add = this.button(this.t('product.add')).or(this.button(this.like('modifiers.add')));
    await add.click();
    const panel = this.addedPanel;
    await expect(panel).toBeVisible();
    await panel.getByRole('link', { name: this.t('product.goToCart') }).click();
    await expect(this.heading).toHaveText(new RegExp(this.t('cart.title')));
  }

  /** Calls the shop directly, with this shopper's session: to begin a test in the middle. */
  async call(name: EndpointName, { body, ...parts }: CallParts & { body?: unknown } = {}): Promise<unknown> {
    const { method, url } = requestOf(name, parts, this.lang);
    const answer = await this.page.request.fetch(url, {
      method,
      headers: { [clientTokenHeader]: clientToken },
      ...(body === undefined ? {} : { data: body }),
    });
    expect(answer.ok(), `${name} answered ${answer.status()}: ${await answer.text()}`).toBe(true);
    return answer.json();
  }

  /**
   * Waits until the browser has taken the server's page over: before that, a click may go nowhere. Views that load when they are
   * scrolled to are left out; `part`, a selector within one, waits for that part.
   */
  async alive(part = 'main'): Promise<void> {
    await this.page.waitForFunction((selector) => {
      const taken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'));
      const controls = `:is(a, button, input, select, textarea):not(.rich *${selector === 'main' ? ', main [data-later] *' : ''})`;
      const found = [...document.querySelectorAll(`${selector}, ${selector} ${controls}`)];
      return found.length > 0 && found.every(taken);
    }, part);
  }
}

/** A text as part of a regular expression. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
