/** SEO: the well-known files of the site: sitemaps, product feeds, robots.txt, security.txt. */
export type { SitemapService } from './sitemap.service.ts';
