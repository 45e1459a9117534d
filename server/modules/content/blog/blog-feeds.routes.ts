/** Serves the blog's feeds, `/blog/feed.xml` and `/blog/atom.xml`, in each language. Cached and revalidated like pages. */
import type { FastifyInstance } from 'fastify';
import { errorBody } from '#server/http/errors.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { type FeedsService, feedPaths, feedTypes } from './blog-feeds.ts';

/** `publicUrl` is the shop's address for links in a feed; null uses the address that the server listens on. */
export function registerBlogFeeds(
  app: FastifyInstance,
  { blogFeeds }: { blogFeeds: FeedsService },
  { publicUrl }: { publicUrl: string | null },
): void {
  const { cache } = app.contract;
  const origin = shopOrigin(app, publicUrl);
  for (const { path, format, locale } of feedPaths) {
    app.get(path, {
      onRequest: cache.answerFirst,
      handler: (request, reply) =>
        cache.send(request, reply, async () => {
          const body = await blogFeeds.feed(format, locale, origin());
          if (body !== null) return { contentType: `${feedTypes[format]}; charset=utf-8`, body };
          const refusal = errorBody(request, 'NOT_FOUND', { errorKey: 'error.unknownRoute' });
          return { status: 404, contentType: 'application/json; charset=utf-8', body: JSON.stringify(refusal) };
        }),
    });
  }
}
