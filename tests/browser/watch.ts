/** Watches a page for console messages, errors and failed requests, which no test may cause unless it allows them. */
import { expect, type Page } from '@playwright/test';

export class Watch {
  readonly #problems: string[] = [];
  /** The preview of a page in the office is a frame without scripts; Chromium says so where one is tried, as the test's driver does. */
  readonly #allowed: RegExp[] = [
    /^console error: Blocked script execution in 'about:(?:blank|srcdoc)' .* sandboxed/,
  ];

  constructor(page: Page) {
    page.on('console', (message) =>
      this.#problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`),
    );
    page.on('pageerror', (error) => this.#problems.push(`page error: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? 'failed';
      // Leaving a page, or typing on, cancels requests on purpose.
      if (reason !== 'net::ERR_ABORTED') this.#problems.push(`request ${reason}: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400)
        this.#problems.push(`answer ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
  }

  /** Allows problems that match, because the test causes them. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Allows an error status that the test causes, and the console line that Chromium prints about it. */
  allowStatus(status: number): void {
    this.allow(new RegExp(`^answer ${status}: `));
    this.allow(new RegExp(`^console error: Failed to load resource: .* status of ${status} `));
  }

  expectNoProblems(): void {
    const problems = this.#problems.filter((line) => !this.#allowed.some((pattern) => pattern.test(line)));
    expect(problems, 'console messages, errors and failed requests').toEqual([]);
  }
}
