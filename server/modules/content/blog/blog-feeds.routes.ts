/** Serves the blog's feeds, `/blog/feed.xml` and `/blog/atom.xml`, in each language. Cached and revalidated like pages. */
import type { FastifyInstance } from 'fastify';
import { offeredUrl, splitLocale } from '#contract/locale-path.ts';
import { redirectTo } from '#server/http/encoded-answer.ts';
import { errorBody } from '#server/http/errors.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { type FeedsService, feedPaths, feedTypes } from './blog-feeds.ts';

/** `publicUrl` is the shop's address for links in a feed; null uses the address that the server listens on. */
export function registerBlogFeeds(
  app: FastifyInstance,
  { blogFeeds }: { blogFeeds: FeedsService },
  { publicUrl }: { publicUrl: string | null },
): void {
  const { cache, readLanguages } = app.contract;
  const origin = shopOrigin(app, publicUrl);
  for (const format of ['rss', 'atom'] as const) {
    for (const prefix of ['', '/:language']) {
      app.get(prefix + feedPaths[format], {
        onRequest: cache.answerFirst,
        handler: (request, reply) =>
          cache.send(request, reply, async () => {
            await readLanguages();
            const location = offeredUrl(request.url);
            if (location !== null) return redirectTo(location);
            const { locale, pathname } = splitLocale(request.url.split('?', 1)[0] ?? '');
            const body = pathname === feedPaths[format] ? await blogFeeds.feed(format, locale, origin()) : null;
            if (body !== null) return { contentType: `${feedTypes[format]}; charset=utf-8`, body };
            const refusal = errorBody(request, 'NOT_FOUND', { errorKey: 'error.unknownRoute' });
            return { status: 404, contentType: 'application/json; charset=utf-8', body: JSON.stringify(refusal) };
          }),
      });
    }
  }
}
