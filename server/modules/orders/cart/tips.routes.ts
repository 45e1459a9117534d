/** Serves the call that chooses a tip (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { TipsService } from './tips.service.ts';

export function registerTipsRoutes(app: FastifyInstance, { tips }: { tips: TipsService }): void {
  serve(app, 'tips', ({ session, body, lang }) => tips.choose(session, body, lang));
}
