/** Texts of WordPress and Shopify as posts of the shop have them. */
import { describe, expect, it } from 'vitest';
import { safeHtml } from '#server/platform/html.ts';
import { picturesIn, plainContent, withPictures, wordpressContent } from './post-html.ts';

const sources = {
  attachment: (id: string) =>
    id === '7' ? { address: 'https://k.example/cup.jpg', alt: 'A cup', caption: 'Glazed' } : undefined,
  ofPost: () => ['7'],
  block: (id: string) =>
    id === '12' ? '<!-- wp:paragraph --><p>Shared words</p><!-- /wp:paragraph -->' : undefined,
  link: (href: string) => (href === 'https://k.example/old/' ? '/blog/post/old' : undefined),
  picture: (address: string) => (address.startsWith('http') ? address : undefined),
};
const read = (raw: string) => {
  const { html, told } = wordpressContent(raw, sources);
  return {
    html: html.replaceAll('\n', ''),
    left: [...told.left],
    embeds: told.embeds,
    missing: told.missing,
  };
};

describe('texts of the block editor', () => {
  it('a text of the block editor keeps paragraphs, headings, lists, quotes, tables and code, without the comments of the editor', () => {
    const { html, left } = read(`<!-- wp:heading {"level":1} -->
<h1 class="wp-block-heading">Steep</h1>
<!-- /wp:heading -->

<!-- wp:paragraph {"style":{"color":{"text":"#fff"}}} -->
<p style="color:#fff">Two <strong>minutes</strong> &amp; no more</p>
<!-- /wp:paragraph -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>Water</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->

<!-- wp:quote --><blockquote class="wp-block-quote"><p>Warm.</p><cite>Mei</cite></blockquote><!-- /wp:quote -->

<!-- wp:table --><figure class="wp-block-table"><table><tbody><tr><td>80</td></tr></tbody></table></figure><!-- /wp:table -->

<!-- wp:code --><pre class="wp-block-code"><code>[gallery]

a &lt; b</code></pre><!-- /wp:code -->`);
    expect(left).toEqual([]);
    expect(html).toBe(
      '<h2>Steep</h2><p>Two <strong>minutes</strong> &amp; no more</p><ul><li>Water</li></ul>' +
        '<blockquote><p>Warm.</p><p><cite>Mei</cite></p></blockquote><figure><table><tbody><tr><td>80</td></tr></tbody></table></figure>' +
        '<pre><code>[gallery]a &lt; b</code></pre>',
    );
  });

  it('a text of the block editor has the text of blocks that posts share, links in place of videos, and names blocks that show nothing here', () => {
    const { html, left, embeds } = read(`<!-- wp:block {"ref":12} /-->
<!-- wp:embed {"url":"https://youtu.be/abc"} -->
<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">
https://youtu.be/abc
</div></figure>
<!-- /wp:embed -->
<!-- wp:latest-posts {"postsToShow":3} /-->
<!-- wp:block {"ref":99} /-->`);
    expect(html).toBe(
      '<p>Shared words</p><figure><a href="https://youtu.be/abc">https://youtu.be/abc</a></figure>',
    );
    expect([left.toSorted(), embeds]).toEqual([['core/block', 'latest-posts'], 1]);
  });

  it('a text of the block editor has pictures by their addresses, and a link to another post leads to its new address', () => {
    const { html } = read(
      '<!-- wp:image --><figure class="wp-block-image"><img src="https://k.example/a.jpg" alt="A &quot;b&quot;" class="x" onerror="alert(1)"/><figcaption>Seen</figcaption></figure><!-- /wp:image --><p><a href="https://k.example/old/">Old</a> <a href="javascript:alert(1)">no</a></p>',
    );
    expect(html).toBe(
      '<figure><img src="https://k.example/a.jpg" alt="A &quot;b&quot;"><figcaption>Seen</figcaption></figure>' +
        '<p><a href="/blog/post/old">Old</a> <a>no</a></p>',
    );
    expect(picturesIn(html)).toEqual(['https://k.example/a.jpg']);
    expect(safeHtml(withPictures(html, () => 'a-1.jpg'))).toContain(
      '<img src="a-1.jpg" alt="A &quot;b&quot;" />',
    );
    expect(withPictures(html, () => undefined)).not.toMatch(/img|figure|Seen/);
  });
});

describe('texts of the classic editor', () => {
  it('a text of the classic editor is divided into paragraphs by empty lines, and line breaks stay', () => {
    expect(read('First line\nsecond line\n\nNext <em>one</em>\n\n<h2>Head</h2>\nAfter').html).toBe(
      '<p>First line<br>second line</p><p>Next <em>one</em></p><h2>Head</h2><p>After</p>',
    );
  });

  it('a text of the classic editor shows captions and galleries as pictures with words, and keeps brackets that are no shortcode', () => {
    const { html, left, missing } = read(
      '[caption id="attachment_3" align="left" width="300"]<a href="https://k.example/b.jpg"><img src="https://k.example/b.jpg" alt="B" /></a> By <em>Mei</em>[/caption]\n\nHe said [sic] and [[gallery]].\n\n[gallery ids="7,8"]',
    );
    expect(html).toBe(
      '<figure><a href="https://k.example/b.jpg"><img src="https://k.example/b.jpg" alt="B"></a><figcaption>By <em>Mei</em></figcaption></figure>' +
        '<p>He said [sic] and [gallery].</p>' +
        '<figure><img src="https://k.example/cup.jpg" alt="A cup"><figcaption>Glazed</figcaption></figure>',
    );
    expect([left, missing]).toEqual([[], 1]);
  });

  it('a text of the classic editor has links in place of players, words within unknown shortcodes, and the names of those', () => {
    const { html, left, embeds } = read(
      '[embed]https://vimeo.com/1[/embed]\n\n[youtube dQw4w9WgXcQ]\n\n[box color="red"]Inside[/box] [contact-form-7 id="5" title="Ask"]',
    );
    expect(html).toContain('<a href="https://vimeo.com/1">');
    expect(html).toContain('<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">');
    expect(html).toContain('<p>Inside</p>');
    expect([left, embeds]).toEqual([['box', 'contact-form-7'], 2]);
  });

  it('a text of the classic editor has no scripts, styles and frames', () => {
    const { html, left, embeds } = read(
      '<style>p{}</style><script>alert(1)</script><iframe src="https://www.youtube.com/embed/abc?x=1">Old browser</iframe><div>One</div><div>Two</div>',
    );
    expect(html).toBe(
      '<p><a href="https://www.youtube.com/watch?v=abc">https://www.youtube.com/watch?v=abc</a></p><p>One</p><p>Two</p>',
    );
    expect([left, embeds]).toEqual([[], 1]);
  });
});

it('an HTML of a shop keeps its paragraphs and says which forms it had', () => {
  const { html, told } = plainContent(
    '<div class="x"><p>One</p>\n<p>&nbsp;</p><form><input name="a"><button>Go</button></form></div>',
    sources,
  );
  expect(html).toBe('<p>One</p>');
  expect([...told.left]).toEqual(['form']);
});

it('a text with a hundred thousand brackets and tags that never end is read within seconds', () => {
  const from = performance.now();
  for (const raw of [
    '['.repeat(100_000),
    '[a '.repeat(100_000),
    '[a b='.repeat(60_000),
    '<!-- wp:x {'.repeat(30_000),
    '<pre>'.repeat(10_000),
    '<div>'.repeat(20_000),
    '<b>'.repeat(60_000) + '</i>'.repeat(60_000),
    '<p>'.repeat(60_000),
    `[caption]${' '.repeat(60_000)}[/caption]`,
  ])
    wordpressContent(raw, sources);
  withPictures(`<figure>${' '.repeat(60_000)}x</figure>`, () => undefined);
  expect(performance.now() - from).toBeLessThan(5000);
});

it('text in more tags than anybody nests is left out and told, and text before it is whole', () => {
  const { html, told } = wordpressContent(`<p>One</p>${'<blockquote>'.repeat(600)}<p>Deep</p>`, sources);
  expect(html.startsWith('<p>One</p>')).toBe(true);
  expect(html).not.toContain('Deep');
  expect(html.match(/<blockquote>/g)?.length).toBe(html.match(/<\/blockquote>/g)?.length);
  expect([...told.left]).toEqual(['<blockquote> × 512']);
});
