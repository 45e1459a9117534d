import { expect, test } from 'vitest';
import { withRenderingNote } from './rendering-note.ts';

const origin = 'https://shop.example';
const note = '<p data-rendering-note="true"></p>';
const noteIn = (body: string) =>
  /rendering-note[^>]*>([^<]*)/.exec(withRenderingNote(body, { ms: 2.4, locale: 'en', origin }))?.[1];

test('the note has the time, the size and the number of other sites that the page loads from', () => {
  const links = '<a href="https://a.example/">A</a><link rel="canonical" href="https://b.example/">';
  const own = `<img class="x" src="${origin}/a.jpg"><script src="/b.js"></script>`;
  expect(noteIn(`${'x'.repeat(40_900)}${links}${own}${note}`)).toBe('Rendered in 2 ms · 41 KB · 0 third parties');
  expect(noteIn(`<img alt="" src="https://c.example/1">${note}`)).toMatch(/ 1 third party$/);
  const foreign =
    '<img alt="" src="https://c.example/1"><img src="https://c.example/2"><link rel="stylesheet" href="https://d.example/x">';
  expect(noteIn(`${foreign}${note}`)).toMatch(/2 third parties$/);
});

test('a page without the line of a demo shop stays as it is', () => {
  const html = '<p class="rendering">text</p>';
  expect(withRenderingNote(html, { ms: 2, locale: 'zh', origin })).toBe(html);
});
