import { describe, expect, it } from 'vitest';
import { typedAt } from './document.tsx';

describe('what one step of undoing takes back', () => {
  const links = [
    { label: { en: 'About' }, children: [{ label: { en: 'Terms' } }, { label: { en: 'Team' } }] },
    { label: { en: 'Blog' }, children: [] },
  ];

  it('a text that is typed goes on at its place, also within a list that is changed as a whole', () => {
    expect(typedAt('Ab', 'Abo', ['title', 'en'])).toBe('title.en');
    const typed = links.with(1, { label: { en: 'Blogs' }, children: [] });
    expect(typedAt(links, typed, ['links'])).toBe('links.1.label.en');
    expect(typedAt(['One', 'Two'], ['One', 'Twos'], ['description', 'en'])).toBe('description.en.1');
  });

  it('an entry that is added, removed or moved is a step of its own, also one within an entry', () => {
    const [about, blog] = links as [(typeof links)[0], (typeof links)[0]];
    const [terms, team] = about.children as [(typeof about.children)[0], (typeof about.children)[0]];
    const acts: [unknown, unknown][] = [
      [links, [...links, blog]],
      [links, [blog]],
      [links, [blog, about]],
      [links, [{ ...about, children: [team, terms] }, blog]],
      [links, [{ ...about, children: [terms] }, blog]],
      // The order of entries that have names, and a new one among them.
      [undefined, ['second', 'first']],
      [undefined, { id: 'new', title: { en: '' } }],
      [
        { open: 9, close: 17 },
        { open: 10, close: 18 },
      ],
    ];
    for (const [before, after] of acts) expect(typedAt(before, after, ['list'])).toBeNull();
  });
});
