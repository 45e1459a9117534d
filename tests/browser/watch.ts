/** Watches a page for what a shopper should never cause: console messages, errors, failed requests. */
import { expect, type Page } from '@playwright/test';

export class Watch {
  readonly #odd: string[] = [];
  readonly #foreseen: RegExp[] = [];

  constructor(page: Page) {
    page.on('console', (message) => this.#odd.push(`console ${message.type()}: ${message.text()} (${message.location().url})`));
    page.on('pageerror', (error) => this.#odd.push(`page error: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? 'failed';
      // Leaving a page, or typing on, drops requests on purpose.
      if (reason !== 'net::ERR_ABORTED') this.#odd.push(`request ${reason}: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400)
        this.#odd.push(`answer ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
  }

  /** Says that something matching is part of this test. */
  foresee(pattern: RegExp): void {
    this.#foreseen.push(pattern);
  }

  /** A refusal that the test brings about: the answer, and the line that Chromium prints about it. */
  foreseeStatus(status: number): void {
    this.foresee(new RegExp(`^answer ${status}: `));
    this.foresee(new RegExp(`^console error: Failed to load resource: .* status of ${status} `));
  }

  expectNothingOdd(): void {
    const odd = this.#odd.filter((line) => !this.#foreseen.some((pattern) => pattern.test(line)));
    expect(odd, 'console messages, errors and failed requests').toEqual([]);
  }
}
