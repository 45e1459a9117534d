/** The call about photographs (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerSocialRoutes(app: FastifyInstance, { photographs: social }: Services): void {
  serve(app, 'recentPhotos', async ({ lang }) => ({ data: await social.recent(lang, limits.socialPhotos) }));
}
