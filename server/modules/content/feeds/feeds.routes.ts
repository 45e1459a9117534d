/** Serves the call that reads feeds (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { FeedReader } from './feed-reader.service.ts';

export function registerFeedsRoutes(app: FastifyInstance, { feeds }: { feeds: FeedReader }): void {
  serve(app, 'readFeed', ({ query, lang }) => feeds.read(query.url, lang));
}
