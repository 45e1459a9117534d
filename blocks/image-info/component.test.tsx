import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { TextBlock } from '#blocks/text/component.tsx';
import { ImageInfoBlock } from './component.tsx';

const image = { imageURL: '/media/800/pot.jpg', width: 1600, height: 1600, color: '#998877' };

it('an index shows the image and the title of each part, and leads to the text block of that id', () => {
  const item = { image, alt: '', title: 'Zisha', text: '', link: '#care-zisha', linkLabel: '' };
  const index = renderToStaticMarkup(
    <ImageInfoBlock
      block={{ id: 'care', type: 'imageInfo', layout: 'index', title: 'By material', items: [item] }}
      first
    />,
  );
  const part = renderToStaticMarkup(
    <TextBlock
      block={{ id: 'care-zisha', type: 'text', title: 'Zisha', paragraphs: [], items: ['Hot water only.'] }}
      first={false}
    />,
  );
  expect(index).toMatch(/<nav aria-label="By material">/);
  expect(index).toMatch(/<a href="#care-zisha"[^>]*><img [^>]*><span[^>]*>Zisha<\/span><\/a>/);
  expect(part).toMatch(/^<div id="care-zisha"/);
});

it('each link from a page of the demo to one of its parts names a block of that page', () => {
  const { pages }: { pages: { name: string; blocks: { id: string }[] }[] } = JSON.parse(
    readFileSync(new URL('../../demo/data/pages.json', import.meta.url), 'utf8'),
  );
  const links = pages.flatMap(({ name, blocks }) =>
    [...JSON.stringify(blocks).matchAll(/"link":"#([^"]+)"/g)].map(([, id]) => ({
      name,
      id,
      known: blocks.some((block) => block.id === id),
    })),
  );
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter(({ known }) => !known)).toEqual([]);
});
