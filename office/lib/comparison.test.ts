/** What differs between two versions of a document, in words. */
import { JSDOM } from 'jsdom';
import { describe, expect, it, vi } from 'vitest';
import { differences } from '#contract/rules/patch.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { type ComparedKind, compared, versionBefore } from './comparison.ts';

vi.stubGlobal('DOMParser', new JSDOM().window.DOMParser);
const t = staffTranslate('en');
const shown = (kind: ComparedKind, before: object, after: object) =>
  compared(before, after, {
    kind,
    t,
    locale: 'en',
    currency: 'CAD',
    textOf: (_, value) => String(value),
  }).map(({ name, state, fields }) => ({
    name,
    state,
    fields: fields.map((each) => [each.label, each.before, each.after]),
  }));

const block = (id: string, text: string) => ({
  id,
  type: 'text',
  title: null,
  paragraphs: [],
  items: [],
  html: { en: `<p>${text}</p>` },
});
const page = {
  id: 'about',
  title: { en: 'About', zh: '关于' },
  blocks: [block('a', 'First words'), block('b', 'Second words')],
};

describe('a comparison of two versions', () => {
  it('a text that was changed has its language, and both texts', () => {
    const [part] = shown('page', page, { ...page, title: { en: 'About us', zh: '关于' } });
    expect(part).toEqual({ name: '', state: 'changed', fields: [['Title (English)', 'About', 'About us']] });
  });

  it('the block whose words were changed is named, without markup, and so are blocks that came and went', () => {
    const after = { ...page, blocks: [block('a', 'Other words'), block('c', 'New words')] };
    const [changed, removed, added] = shown('page', page, after);
    expect(changed?.name).toMatch(/^1\. .+: Other words$/);
    expect(changed?.fields.map(([, before, now]) => [before, now])).toEqual([['First words', 'Other words']]);
    expect([removed?.state, removed?.fields[0]?.slice(1)]).toEqual(['removed', ['Second words', '']]);
    expect([added?.state, added?.fields[0]?.slice(1)]).toEqual(['added', ['', 'New words']]);
  });

  it('links of a menu are shown with those below them', () => {
    const care = { label: { en: 'Care' }, link: '/care' };
    const [part] = shown(
      'navigation',
      { id: 'header', links: [care] },
      { id: 'header', links: [{ ...care, children: [{ label: { en: 'Terms' }, link: '/terms' }] }] },
    );
    expect(part?.fields.map(([, before, after]) => [before, after])).toEqual([
      ['Care · /care', 'Care · /care\n– Terms · /terms'],
    ]);
  });

  it('a box that is ticked or not is named as its form does', () => {
    const [part] = shown('navigation', { id: 'header', blog: true }, { id: 'header', blog: false });
    expect(part?.fields).toEqual([[t('office.navigation.blog'), 'Yes', 'No']]);
  });

  it('blocks that were moved are listed by their names in both orders', () => {
    const [part] = shown('page', page, { ...page, blocks: page.blocks.toReversed() });
    expect(part?.fields).toEqual([
      ['Order: Content', 'Text: First words\nText: Second words', 'Text: Second words\nText: First words'],
    ]);
  });

  it('a version and itself differ in nothing', () => {
    expect(shown('page', page, structuredClone(page))).toEqual([]);
  });
});

it('an earlier version is the latest with each later change taken back, blocks in their old order', () => {
  const second = { ...page, blocks: page.blocks.toReversed() };
  const third = { ...second, title: { en: 'Us' }, blocks: second.blocks.slice(1) };
  // As the office gets it: the way back, with its ends exchanged.
  const changeOf = (before: object, after: object) =>
    differences(after, before).map(({ path, from, to }) => ({ path, from: to, to: from }));
  const changes = [changeOf(second, third), changeOf(page, second)];
  expect(versionBefore(third, changes.slice(0, 1))).toEqual(second);
  expect(versionBefore(third, changes)).toEqual(page);
});
