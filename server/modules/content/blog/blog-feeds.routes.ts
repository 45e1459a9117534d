/** The blog's feeds, `/blog/feed.xml` and `/blog/atom.xml`, in each language. Kept and revalidated like pages. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { errorBody } from '#server/http/errors.ts';
import { feedPaths, feedTypes } from './blog-feeds.ts';

/** `origin`: scheme and host of the shop, for the addresses in a feed. */
export function registerBlogFeeds(app: FastifyInstance, { blogFeeds }: Pick<Services, 'blogFeeds'>, origin: () => string): void {
  const { cache } = app.contract;
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
