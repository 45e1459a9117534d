/** Serves the call for photos (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import { recorded, serve } from '#server/http/endpoint.ts';
import type { PhotographsService } from './photographs.service.ts';

export function registerSocialRoutes(app: FastifyInstance, { photographs }: { photographs: PhotographsService }): void {
  serve(app, 'recentPhotos', async ({ lang }) => ({ data: await photographs.recent(lang, limits.socialPhotos) }), recorded);
}
