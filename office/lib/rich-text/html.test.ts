import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { safeHtml } from '#server/platform/html.ts';
import { repeats } from '#tests/long.ts';
import { documentFrom, htmlFrom, isWholeInEditor, parser, withLists } from './html.ts';

const { window } = new JSDOM('');
beforeAll(() => void vi.stubGlobal('DOMParser', window.DOMParser));
afterAll(() => void vi.unstubAllGlobals());

const wordsIn = (html: string) =>
  window.document
    .createRange()
    .createContextualFragment(html)
    .textContent?.replaceAll(/[ \t\r\n\f]+/g, '');
const again = (html: string) => htmlFrom(documentFrom(html));

const words = fc.constantFrom('oolong', 'tea & milk', '2 < 3', '“slow”', '乌龙茶', 'no\u00a0break', 'a "b"');
const value = fc.constantFrom('x', 'tea & milk', 'a "b"');

/** As the editor itself writes it. */
const { block: written } = fc.letrec<Record<'inline' | 'flow' | 'block', string>>((tie) => {
  const leaf = fc.oneof(
    words,
    fc.constant('<br>'),
    fc
      .record({ src: fc.constantFrom('mug.jpg', 'a-b_1.webp'), alt: value })
      .map(({ src, alt }) => `<img src="${src}" alt="${quoted(alt)}">`),
  );
  const marks = fc.subarray([
    'a',
    'q',
    'cite',
    'abbr',
    'strong',
    'em',
    'u',
    's',
    'small',
    'mark',
    'sub',
    'sup',
    'code',
  ]);
  const marked = fc.record({ text: words, names: marks, of: value }).map(({ text, names, of }) => {
    const opened = names.map((name) =>
      name === 'a'
        ? `<a href="https://example.com/?q=${encodeURIComponent(of)}" title="${quoted(of)}">`
        : name === 'abbr'
          ? `<abbr title="${quoted(of)}">`
          : `<${name}>`,
    );
    return (
      opened.join('') +
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') +
      names
        .toReversed()
        .map((name) => `</${name}>`)
        .join('')
    );
  });
  const inside = (names: string[], content: fc.Arbitrary<string>) =>
    fc.tuple(fc.constantFrom(...names), content).map(([name, html]) => `<${name}>${html}</${name}>`);
  const rows = (cells: string[]) =>
    fc
      .array(
        fc
          .array(inside(cells, tie('flow')), { minLength: 1, maxLength: 3 })
          .map((all) => `<tr>${all.join('')}</tr>`),
        { minLength: 1, maxLength: 2 },
      )
      .map((all) => all.join(''));
  const items = fc
    .array(inside(['li'], tie('flow')), { minLength: 1, maxLength: 3 })
    .map((all) => all.join(''));
  return {
    // Beside each other with the same formats they are one text.
    inline: fc
      .tuple(
        marked,
        leaf.filter((html) => html.startsWith('<')),
      )
      .map((all) => all.join('')),
    flow: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('inline'),
      fc.constant(''),
      fc.tuple(tie('inline'), tie('block')).map((all) => all.join('')),
      fc.array(tie('block'), { minLength: 1, maxLength: 2 }).map((all) => all.join('')),
    ),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      inside(['p', 'h2', 'h3', 'h4', 'pre'], tie('inline')),
      fc.constantFrom('<hr>', '<p></p>'),
      inside(['ul', 'ol'], items),
      items.map((all) => `<ol start="3">${all}</ol>`),
      inside(['blockquote'], tie('flow')),
      fc
        .tuple(inside(['caption'], tie('inline')), rows(['th']), rows(['td', 'th']))
        .map(
          ([caption, head, body]) => `<table>${caption}<thead>${head}</thead><tbody>${body}</tbody></table>`,
        ),
      inside(
        ['dl'],
        fc.tuple(inside(['dt'], tie('inline')), inside(['dd'], tie('flow'))).map((all) => all.join('')),
      ),
      inside(
        ['figure'],
        fc
          .tuple(fc.constant('<img src="mug.jpg" alt="">'), inside(['figcaption'], tie('inline')))
          .map((all) => all.join('')),
      ),
    ),
  };
});
const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

it('formatted text that the editor can write goes through it unchanged, sign for sign', () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 3 }), (blocks) => {
      const html = safeHtml(blocks.join(''));
      fc.pre(html !== '<p></p>');
      expect(again(html)).toBe(html);
      expect(isWholeInEditor(html)).toBe(true);
    }),
    { numRuns: repeats(30, 200) },
  );
});

const names =
  'h1 h2 h3 p br hr blockquote ul ol li dl dt dd a strong em b i s u sub sup small mark code pre q cite abbr time img figure figcaption table caption thead tbody tfoot tr th td div span script'.split(
    ' ',
  );
const { soup } = fc.letrec<Record<'soup', string>>((tie) => ({
  soup: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(words, fc.constantFrom(' ', '\n  ', '&nbsp;', 'x  y ')),
    fc
      .record({
        name: fc.constantFrom(...names),
        content: fc.array(tie('soup'), { maxLength: 4 }),
        attribute: fc.constantFrom(
          '',
          ' href="/tea"',
          ' href="tea?x=1"',
          ' href="//example.com"',
          ' title="t"',
          ' colspan="2"',
          ' src="mug.jpg"',
          ' href="javascript:1"',
          ' style="color:red"',
        ),
      })
      .map(({ name, content, attribute }) => `<${name}${attribute}>${content.join('')}</${name}>`),
  ),
}));

it.each([
  ['a list within preformatted text', '<pre><ol>oolong </ol></pre>'],
  ['a blank before a block that leaves a heading', '<q><h2>oolong <sup><pre></pre></sup></h2></q>'],
])('the editor reads %s as it is read again', (_what, html) => {
  const edited = again(safeHtml(html));
  expect(again(edited)).toBe(edited);
});

it('the editor keeps all that the sanitiser lets through or says that it cannot, and never loses a word', () => {
  let whole = 0;
  const runs = repeats(50, 400);
  fc.assert(
    fc.property(fc.array(soup, { minLength: 1, maxLength: 4 }), (all) => {
      const html = safeHtml(all.join(''));
      const edited = again(html);
      expect(wordsIn(edited)).toBe(wordsIn(html));
      // What is saved comes back from the server as it was sent.
      expect(safeHtml(edited)).toBe(edited);
      expect(isWholeInEditor(edited)).toBe(true);
      if (isWholeInEditor(html)) whole += 1;
    }),
    { numRuns: runs },
  );
  expect(whole).toBeGreaterThan(runs / 3);
});

it.each([
  ['loose text with line breaks', 'Made by hand.<br />\n<br />\nHolds <b>900 ml</b>'],
  ['a table of sizes', '<table><tbody><tr><td>S</td><td></td></tr></tbody></table>'],
  ['a list with paragraphs', '<ul>\n<li><p>One</p></li>\n<li>Two <ul><li>Three</li></ul></li>\n</ul>'],
  ['formats around blocks', '<strong><p>One</p></strong>'],
  ['blanks between formats', '<p>One <em> two </em> three</p>'],
])('%s is kept whole', (_what, html) => {
  expect(isWholeInEditor(html)).toBe(true);
});

it.each([
  ['lists without items', '<ul><ul><li>One</li></ul></ul>'],
  ['blocks in a heading', '<h2>One<ul><li>Two</li></ul></h2>'],
  ['quotations beside each other', '<p><q>One</q><q>two</q></p>'],
])('%s are named as what the editor cannot keep', (_what, html) => {
  expect(isWholeInEditor(html)).toBe(false);
});

it('text pasted from Word and the web loses its looks, scripts, foreign pictures and unsafe links', () => {
  const pasted = `<b style="font-weight:normal"><p class="MsoNormal" style="margin:0"><span style="font-weight:700;color:red">Tea</span>
    <o:p></o:p><a href="javascript:alert(1)">one</a> <a href="https://example.com" onclick="x()">two</a></p></b>
    <h1>Big</h1><img src="https://example.com/spy.png"><script>alert(1)</script>`;
  const body = new window.DOMParser().parseFromString(pasted, 'text/html').body;
  expect(htmlFrom(parser.parse(body))).toBe(
    '<p><strong>Tea</strong> one <a href="https://example.com">two</a></p><h2>Big</h2>',
  );
});

it('lists pasted from Word become lists', () => {
  const item = (sign: string, text: string) =>
    `<p class="MsoListParagraphCxSpFirst" style="mso-list:l0 level1 lfo1"><!--[if !supportLists]--><span style="mso-list:Ignore">${sign}<span>&nbsp;&nbsp;</span></span><!--[endif]-->${text}</p>`;
  const pasted = `<p class="MsoNormal">To do</p>${item('·', 'Rinse')}\n${item('·', 'Dry')}${item('1.', 'Pour')}`;
  const body = new window.DOMParser().parseFromString(withLists(pasted), 'text/html').body;
  expect(htmlFrom(parser.parse(body))).toBe(
    '<p>To do</p><ul><li>Rinse</li><li>Dry</li></ul><ol><li>Pour</li></ol>',
  );
});
