/** Exports of WordPress in the forms that its versions and WordPress.com write, with posts of our own invention. */

export interface WxrItem {
  id: number;
  title: string;
  type?: string;
  slug?: string;
  status?: string;
  content?: string;
  excerpt?: string;
  /** `2024-03-01 10:00:00`, in UTC. */
  at?: string;
  author?: string;
  link?: string;
  parent?: number;
  password?: string;
  categories?: readonly (readonly [slug: string, name: string])[];
  tags?: readonly (readonly [slug: string, name: string])[];
  meta?: Record<string, string>;
  /** Of an attachment. */
  address?: string;
  comments?: number;
}

export interface WxrSite {
  address?: string;
  version?: '1.0' | '1.1' | '1.2';
  generator?: string;
  authors?: Record<string, string>;
  /** Written before the file, as servers with notices do. */
  before?: string;
}

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function wxr(items: readonly WxrItem[], site: WxrSite = {}): string {
  const {
    address = 'https://kettle.example',
    version = '1.2',
    generator = 'https://wordpress.org/?v=6.8',
    authors = {},
    before = '',
  } = site;
  const isOld = version === '1.0';
  // Since 1.2 texts of the head are CDATA too.
  const text = version === '1.2' ? cdata : plain;
  const named = Object.entries(authors).map(
    ([login, name], at) =>
      `<wp:author><wp:author_id>${at + 1}</wp:author_id><wp:author_login>${text(login)}</wp:author_login><wp:author_email>${text(`${login}@kettle.example`)}</wp:author_email><wp:author_display_name>${cdata(name)}</wp:author_display_name></wp:author>`,
  );
  const terms = new Map(items.flatMap(({ categories = [] }) => categories));
  const heads = [...terms].map(
    ([slug, name], at) =>
      `<wp:category>${isOld ? '' : `<wp:term_id>${at + 1}</wp:term_id>`}<wp:category_nicename>${text(slug)}</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata(name)}</wp:cat_name></wp:category>`,
  );
  return `${before}<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file. -->
<rss version="2.0"
${isOld ? '' : `\txmlns:excerpt="http://wordpress.org/export/${version}/excerpt/"\n`}\txmlns:content="http://purl.org/rss/1.0/modules/content/"
\txmlns:wfw="http://wellformedweb.org/CommentAPI/"
\txmlns:dc="http://purl.org/dc/elements/1.1/"
\txmlns:wp="http://wordpress.org/export/${version}/"
>
<channel>
\t<title>Kettle notes</title>
\t<link>${address}</link>
\t<description></description>
\t<language>en-CA</language>
\t<wp:wxr_version>${version}</wp:wxr_version>
\t<wp:base_site_url>${address}</wp:base_site_url>
\t<wp:base_blog_url>${address}</wp:base_blog_url>
${isOld ? '' : named.join('\n')}
${heads.join('\n')}
<generator>${generator}</generator>
${items.map((item) => itemOf(item, { address, isOld, text })).join('\n')}
</channel>
</rss>
`;
}

function itemOf(
  item: WxrItem,
  { address, isOld, text }: { address: string; isOld: boolean; text: (each: string) => string },
): string {
  const {
    id,
    title,
    type = 'post',
    slug = '',
    status = 'publish',
    content = '',
    excerpt = '',
    author = 'mei',
    parent = 0,
  } = item;
  const at = item.at ?? '2024-03-01 10:00:00';
  const isDated = status !== 'draft' && status !== 'auto-draft';
  const link = item.link ?? (isDated ? `${address}/${slug}/` : `${address}/?p=${id}`);
  const terms = (domain: string, all: WxrItem['categories'] = []) =>
    all.flatMap(([nicename, name]) => [
      ...(isOld ? [`<category>${cdata(name)}</category>`] : []),
      `<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`,
    ]);
  return `<item>
\t<title>${isOld ? plain(title) : cdata(title)}</title>
\t<link>${link}</link>
\t<pubDate>${isDated ? new Date(`${at.replace(' ', 'T')}Z`).toUTCString() : 'Wed, 30 Nov -0001 00:00:00 +0000'}</pubDate>
\t<dc:creator>${cdata(author)}</dc:creator>
\t<guid isPermaLink="false">${address}/?p=${id}</guid>
\t<description></description>
\t<content:encoded>${cdata(content)}</content:encoded>
${isOld ? '' : `\t<excerpt:encoded>${cdata(excerpt)}</excerpt:encoded>`}
\t<wp:post_id>${id}</wp:post_id>
\t<wp:post_date>${text(at)}</wp:post_date>
\t<wp:post_date_gmt>${text(isDated ? at : '0000-00-00 00:00:00')}</wp:post_date_gmt>
\t<wp:comment_status>${text('open')}</wp:comment_status>
\t<wp:post_name>${text(slug)}</wp:post_name>
\t<wp:status>${text(status)}</wp:status>
\t<wp:post_parent>${parent}</wp:post_parent>
\t<wp:menu_order>0</wp:menu_order>
\t<wp:post_type>${text(type)}</wp:post_type>
\t<wp:post_password>${text(item.password ?? '')}</wp:post_password>
${item.address ? `\t<wp:attachment_url>${text(item.address)}</wp:attachment_url>` : ''}
${[...terms('category', item.categories), ...terms(isOld ? 'tag' : 'post_tag', item.tags)].join('\n')}
${Object.entries(item.meta ?? {})
  .map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${text(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  .join('\n')}
${Array.from({ length: item.comments ?? 0 }, (_, at_) => `<wp:comment><wp:comment_id>${at_}</wp:comment_id><wp:comment_author>${cdata('Somebody')}</wp:comment_author><wp:comment_content>${cdata('Nice')}</wp:comment_content></wp:comment>`).join('\n')}
</item>`;
}

/** A file of so many posts and so many bytes, each with words of its own. */
export function largeWxr(posts: number, bytes: number): string {
  const sentence =
    'Water that has only just stopped boiling makes a green tea bitter, and nobody knows why it was poured. ';
  const each = Math.max(1, Math.floor(bytes / posts / (sentence.length + 60)));
  return wxr(
    Array.from({ length: posts }, (_, at) => ({
      id: at + 1,
      title: `Note ${at + 1}`,
      slug: `note-${at + 1}`,
      excerpt: `About ${at + 1}`,
      content: Array.from(
        { length: each },
        (__, line) => `<!-- wp:paragraph -->\n<p>${at}.${line} ${sentence}</p>\n<!-- /wp:paragraph -->\n`,
      ).join('\n'),
      categories: [[`topic-${at % 12}`, `Topic ${at % 12}`] as const],
      tags: [[`tag-${at % 90}`, `Tag ${at % 90}`] as const],
    })),
  );
}

/** A table as the app Matrixify exports the posts of a blog of Shopify. */
export const matrixifyHeader = [
  'ID',
  'Handle',
  'Command',
  'Title',
  'Author',
  'Body HTML',
  'Summary HTML',
  'Tags',
  'Tags Command',
  'Created At',
  'Updated At',
  'Published',
  'Published At',
  'Template Suffix',
  'URL',
  'Row #',
  'Top Row',
  'Blog: ID',
  'Blog: Handle',
  'Blog: Title',
  'Blog: Commentable',
  'Image Src',
  'Image Width',
  'Image Height',
  'Image Alt Text',
  'Comment: ID',
];

export const matrixifyRows = (articles: readonly Partial<Record<string, string>>[]): string[][] => [
  matrixifyHeader,
  ...articles.map((article) => matrixifyHeader.map((column) => article[column] ?? '')),
];
