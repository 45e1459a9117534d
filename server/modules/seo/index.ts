/** SEO: sitemaps and robots.txt. */
export { registerSitemaps } from './sitemap.routes.ts';
export { createSitemapService, type SitemapService } from './sitemap.service.ts';
