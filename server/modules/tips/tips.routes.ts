/** Choosing a tip (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerTipsRoutes(app: FastifyInstance, { tips }: Services): void {
  serve(app, 'tips', ({ session, body, lang }) => tips.choose(session, body, lang));
}
