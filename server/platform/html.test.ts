import { expect, test } from 'vitest';
import { escapeHtml, unescapeHtml, withoutInvalidXml } from './html.ts';

test('escaped text closes neither an element nor an attribute', () => {
  expect(escapeHtml(`<a title="it's">&amp;`)).toBe('&lt;a title=&quot;it&#39;s&quot;&gt;&amp;amp;');
});

test('escaped text reads back as it was', () => {
  const text = `<a title="it's"> &amp; &lt; 茶 😀`;
  expect(unescapeHtml(escapeHtml(text))).toBe(text);
  expect(unescapeHtml('it&#x27;s &nbsp; &bogus;')).toBe("it's &nbsp; &bogus;");
});

test('characters that XML cannot represent are left out', () => {
  expect(withoutInvalidXml('a\u0000b\u000bc\ud800d\uffffe\tf 茶 😀')).toBe('abcde\tf 茶 😀');
});
