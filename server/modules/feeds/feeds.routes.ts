/** The call about feeds (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerFeedsRoutes(app: FastifyInstance, { feeds }: Services): void {
  serve(app, 'readFeed', ({ query, lang }) => feeds.read(query.url, lang));
}
