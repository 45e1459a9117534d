/** The call about feeds (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerFeedsRoutes(app: FastifyInstance, { feeds }: Services): void {
  serve(app, 'readFeed', ({ query, lang }) => feeds.read(query.url, lang));
}
