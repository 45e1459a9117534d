/** Choosing a tip (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerTipsRoutes(app: FastifyInstance, { tips }: Services): void {
  serve(app, 'tips', ({ session, body, lang }) => tips.choose(session, body, lang));
}
