import { expect, test } from 'vitest';
import { escapeHtml, plainParagraphs, safeHtml, unescapeHtml, withoutInvalidXml } from './html.ts';
import { mostNested } from './markup.ts';

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

test('tags that are nested deeper than browsers nest them are left out, and their text stays', () => {
  const nested = (depth: number) => `${'<b>'.repeat(depth)}Tea &amp; milk${'</b>'.repeat(depth)}`;
  expect(safeHtml(nested(mostNested))).toBe(nested(mostNested));
  expect(safeHtml(nested(mostNested + 1)).trim()).toBe('Tea &amp; milk');
  expect(plainParagraphs(nested(mostNested + 1))).toEqual(['Tea & milk']);
});

test('a rich text of tags without their ends, or of ends without their tags, is read in the time of its length', () => {
  const from = performance.now();
  for (const html of [
    '<b>'.repeat(60_000) + '</i>'.repeat(60_000),
    '<br'.repeat(120_000),
    '</i>'.repeat(60_000),
  ]) {
    safeHtml(html);
    plainParagraphs(html);
  }
  expect(performance.now() - from).toBeLessThan(2500);
});
