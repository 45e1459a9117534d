/** Validates the HTML of a page in the browser, including what its scripts have added. */
import { expect, type Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { htmlRules } from '#tests/html-rules.ts';

/** It compiles its rules once. */
const validator = new HtmlValidate(htmlRules);

export async function expectValidHtml(page: Page): Promise<void> {
  // Scripts name the shop's own files by whole addresses, which count as somebody else's.
  const content = (await page.content()).replaceAll(`${new URL(page.url()).origin}/`, '/');
  const { results } = await validator.validateString(content);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
  expect(found, `HTML at ${page.url()}`).toEqual([]);
}
