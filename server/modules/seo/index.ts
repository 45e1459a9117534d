/** SEO: the files that machines ask a site for by name: sitemaps, robots.txt, security.txt. */
export { createSeoModule } from './module.ts';
export type { SitemapService } from './sitemap.service.ts';
