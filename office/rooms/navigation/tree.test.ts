/** Moving the links of the header and the footer. */
import { expect, it } from 'vitest';
import { dropped, linksOf, type Moved, pathOf, rowsOf, stepped } from './tree.ts';

const link = (name: string) => ({ label: { en: name }, link: `/${name}` });
/** `Tea`, with `Green` and `Black` below it, and `Care`. */
const links = [{ ...link('Tea'), children: [link('Green'), link('Black')] }, link('Care'), link('About')];
const rows = rowsOf(links);
const shown = (moved: Moved | null) =>
  moved?.rows.map(({ link: { label }, isChild }) => `${isChild ? '- ' : ''}${label.en}`).join(' ');

it('links and groups become rows and the same links again, and a row knows its place in the document', () => {
  expect(linksOf(rows)).toEqual(links);
  expect(rows.map((_, at) => pathOf(rows, at).join('.'))).toEqual([
    '0',
    '0.children.0',
    '0.children.1',
    '1',
    '2',
  ]);
});

it('a group moves with its links past what is beside it, and a link within its group only', () => {
  expect(shown(stepped(rows, 0, 'down'))).toBe('Care Tea - Green - Black About');
  expect(shown(stepped(rows, 3, 'up'))).toBe('Care Tea - Green - Black About');
  expect(shown(stepped(rows, 1, 'down'))).toBe('Tea - Black - Green Care About');
  expect(stepped(rows, 3, 'up')?.at).toBe(0);
  expect([
    stepped(rows, 0, 'up'),
    stepped(rows, 1, 'up'),
    stepped(rows, 2, 'down'),
    stepped(rows, 4, 'down'),
  ]).toEqual([null, null, null, null]);
});

it('a link goes into the group above it and out of it to behind it, and a group goes into none', () => {
  expect(shown(stepped(rows, 3, 'in'))).toBe('Tea - Green - Black - Care About');
  expect(shown(stepped(rows, 1, 'out'))).toBe('Tea - Black Green Care About');
  expect(stepped(rows, 1, 'out')?.at).toBe(2);
  expect([stepped(rows, 0, 'in'), stepped(rows, 1, 'in'), stepped(rows, 3, 'out')]).toEqual([
    null,
    null,
    null,
  ]);
});

it('a link that is dropped between those of a group is one of them, and at its end if it was dragged to the side', () => {
  expect(shown(dropped(rows, 4, 2, false))).toBe('Tea - Green - About - Black Care');
  expect(shown(dropped(rows, 4, 3, true))).toBe('Tea - Green - Black - About Care');
  expect(shown(dropped(rows, 4, 3, false))).toBe('Tea - Green - Black About Care');
  expect(shown(dropped(rows, 1, 3, false))).toBe('Tea - Black Care Green About');
});

it('a group that is dropped keeps its links and never comes to stand within another', () => {
  expect(shown(dropped(rows, 0, 3, false))).toBe('Care Tea - Green - Black About');
  expect(shown(dropped(rows, 0, 4, true))).toBe('Care About Tea - Green - Black');
  expect(dropped(rows, 0, 1, false)).toBeNull();
  const two = rowsOf([...links.slice(0, 1), { ...link('Cups'), children: [link('Mugs')] }]);
  expect(shown(dropped(two, 3, 1, true))).toBe('Tea - Green - Black Cups - Mugs');
});

it('a picture of a group is left out where it becomes a link of another', () => {
  const moved = stepped(rowsOf([link('Tea'), { ...link('Cups'), picture: 'cups.jpg' }]), 1, 'in');
  expect(linksOf(moved?.rows ?? [])).toEqual([{ ...link('Tea'), children: [link('Cups')] }]);
});
