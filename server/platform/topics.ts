/** A change records the topics it touches (`recordCatalogueChange`), a read those it shows (`recordReads`). */
export const topics = {
  settings: 'settings',
  redirects: 'redirects',
  stores: 'stores',
  /** What stores have none of today. */
  soldOut: 'sold-out',
  /** Brands, categories and tags, without their counts. */
  taxonomy: 'taxonomy',
  /** Which lists products are in, and so every count of products. */
  counts: 'counts',
  /** The words, scopes and default order by which products are found. */
  search: 'search',
  /** Blogs with their categories and tags. */
  blogs: 'blogs',
  posts: 'posts',
  pages: 'pages',
  /** What the blocks of all pages require: feeds, framed sites, forms. */
  publishedBlocks: 'published-blocks',
  gallery: 'gallery',
  images: 'images',
  image: (file: string) => `image:${file}`,
  page: (name: string) => `page:${name}`,
  /** A product's own data, by its number. */
  product: (no: number) => `product:${no}`,
  /** Which products a list has, and their order by `sort` of `listings`. */
  list: (scope: string, sort: string) => `list:${scope}:${sort}`,
  /** Which endpoints receive webhook events. */
  webhookEndpoints: 'webhook-endpoints',
  externalSource: (key: string) => `source:${key}`,
} as const;
