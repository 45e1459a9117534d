/** What a page's preview takes out of a document. */
import { expect, test } from 'vitest';
import { withoutScripts } from './still-page.ts';

test('a preview has no script, and its styles are there under another name', () => {
  const page =
    '<html><head><script data-scripts="/a.js">go()</script><link rel="modulepreload" href="/a.js"><link rel="stylesheet" href="/a.css"></head>' +
    '<body><p style="color:red">Text</p><noscript>No</noscript><script type="application/json">{"a":1}</script></body></html>';
  expect(withoutScripts(page)).toBe(
    '<html><head><link rel="stylesheet" href="/a.css"></head><body><p data-style="color:red">Text</p></body></html>',
  );
});
