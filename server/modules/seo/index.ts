/** What machines ask a site for by name: sitemaps, robots.txt, security.txt. */
export { registerSecurityTxt } from './security-txt.ts';
export { registerSitemaps } from './sitemap.routes.ts';
export { createSitemapService, type SitemapService } from './sitemap.service.ts';
