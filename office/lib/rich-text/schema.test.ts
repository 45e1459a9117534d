import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { deleteSelection, joinBackward, joinForward, liftEmptyBlock, splitBlock } from 'prosemirror-commands';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, EditorState, TextSelection } from 'prosemirror-state';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { safeHtml } from '#server/platform/html.ts';
import { repeats } from '#tests/long.ts';
import { documentFrom, htmlFrom, isWholeInEditor } from './html.ts';
import { linkAt, linked, plugins, schema, toggled, toggledBlock } from './schema.ts';

beforeAll(() => void vi.stubGlobal('DOMParser', new JSDOM('').window.DOMParser));
afterAll(() => void vi.unstubAllGlobals());

const opened = (html: string) =>
  EditorState.create({ doc: documentFrom(html), plugins: plugins(() => undefined) });
function run(state: EditorState, command: Command): EditorState {
  let next = state;
  command(state, (tr) => {
    next = state.apply(tr);
  });
  return next;
}
const selected = (state: EditorState, from: number, to: number) => {
  const { doc } = state;
  const near = (at: number) => doc.resolve(Math.min(at, doc.content.size));
  return state.apply(state.tr.setSelection(TextSelection.between(near(from), near(to))));
};
const typed =
  (text: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.insertText(text));
    return true;
  };
const link =
  (href: string): Command =>
  (state, dispatch) =>
    linked(linkAt(state), href)(state, dispatch);

const { li } = schema.nodes;
const commands: Readonly<Record<string, Command>> = {
  bold: toggled('strong'),
  italic: toggled('em'),
  type: typed('oolong'),
  link: link('https://example.com'),
  unlink: link(''),
  heading: toggledBlock('h3'),
  small: toggledBlock('h4'),
  bullets: toggledBlock('ul'),
  numbers: toggledBlock('ol'),
  quote: toggledBlock('blockquote'),
  item: splitListItem(li),
  nest: sinkListItem(li),
  leave: liftListItem(li),
  enter: splitBlock,
  up: liftEmptyBlock,
  remove: deleteSelection,
  back: joinBackward,
  forward: joinForward,
};
const starts = [
  '',
  '<p>Tea</p><ul><li>One</li><li>Two</li></ul>',
  'Loose <b>text</b><table><tbody><tr><td>S</td><td></td></tr></tbody></table>',
  '<blockquote>Fine <a href="/tea">tea</a></blockquote><figure><img src="mug.jpg" alt=""><figcaption>Mug</figcaption></figure>',
];

it('the editor writes what the sanitiser keeps, whatever is pressed in whatever order', () => {
  const place = fc.nat(40);
  const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(commands)), place, place), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...starts), steps, (start, all) => {
      let state = opened(start);
      for (const [name, from, to] of all) {
        state = run(selected(state, from, to), commands[name] as Command);
        state.doc.check();
      }
      const html = htmlFrom(state.doc);
      expect(safeHtml(html)).toBe(html);
      expect(isWholeInEditor(html)).toBe(true);
    }),
    { numRuns: repeats(25, 200) },
  );
});

it('a list is begun, changed and left again, and bare text becomes a paragraph', () => {
  let state = selected(opened('<p>Rinse</p>'), 1, 1);
  state = run(state, commands.bullets as Command);
  expect(htmlFrom(state.doc)).toBe('<ul><li>Rinse</li></ul>');
  state = run(state, commands.numbers as Command);
  expect(htmlFrom(state.doc)).toBe('<ol><li>Rinse</li></ol>');
  state = run(state, commands.numbers as Command);
  expect(htmlFrom(state.doc)).toBe('<p>Rinse</p>');
});

it('a link is changed and removed from its first to its last letter', () => {
  let state = selected(opened('<p>See <a href="/tea">our <strong>tea</strong></a> today</p>'), 7, 7);
  expect(linkAt(state)).toMatchObject({ from: 5, to: 12, href: '/tea' });
  state = run(state, link('/mugs'));
  expect(htmlFrom(state.doc)).toBe('<p>See <a href="/mugs">our <strong>tea</strong></a> today</p>');
  state = run(selected(state, 10, 10), link(''));
  expect(htmlFrom(state.doc)).toBe('<p>See our <strong>tea</strong> today</p>');
});
