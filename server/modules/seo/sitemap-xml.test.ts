import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryXml, indexXml } from './sitemap.service.ts';

test('no address or image name can break out of a sitemap', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for the characters that XML 1.0 forbids
  const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, image) => {
      const xml = entryXml({ path: `/${path}`, updatedAt: 0, images: [`/${image}`] }, 'https://shop.example');
      expect(xml).not.toMatch(impossible);
      expect(
        xml.replace(
          /<\/?(url|loc|lastmod|image:image|image:loc)>|<xhtml:link rel="alternate" hreflang="[\w-]+" href="[^"<]*"\/>/g,
          '',
        ),
      ).not.toMatch(/[<>"']/);
      expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;|apos;)/);
    }),
  );
});

test('a sitemap without a time has no lastmod', () => {
  expect(indexXml([{ path: '/sitemap/a.xml', updatedAt: null }], 'https://shop.example')).toContain(
    '<sitemap><loc>https://shop.example/sitemap/a.xml</loc></sitemap>',
  );
});
