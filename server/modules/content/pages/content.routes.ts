/** Calls about content pages and the shell (SPEC §7 "Common"). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerContentRoutes(app: FastifyInstance, { content, shell, accounts }: Services): void {
  serve(app, 'pageContent', ({ query, lang }) => content.page(query.pageName, lang));
  serve(app, 'appInfoInit', async ({ session, lang }) => ({
    appContent: await shell.content(lang),
    ...(await accounts.info(session)),
  }));
}
