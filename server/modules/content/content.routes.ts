/** Calls about content pages, the shell, and who is looking (SPEC §7 "Common"). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

/** Nobody can sign on yet: every session is a guest's. */
const guest = { user: null, lastLoginDate: null, userID: null };

export function registerContentRoutes(app: FastifyInstance, { content, shell }: Services): void {
  serve(app, 'pageContent', ({ query, lang }) => content.page(query.pageName, lang));
  serve(app, 'appInfoInit', async ({ lang }) => ({ appContent: await shell.content(lang), ...guest }));
  serve(app, 'userInfo', () => guest);
  serve(app, 'userInfo2', () => guest);
}
