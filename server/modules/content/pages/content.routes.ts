/** Serves the calls for content pages and the shell (SPEC §7 "Common"). */
import type { FastifyInstance } from 'fastify';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { recorded, serve } from '#server/http/endpoint.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { ContentService } from './content.service.ts';
import type { ShellService } from './shell.service.ts';

export interface ContentRoutesDeps {
  content: ContentService;
  shell: ShellService;
  /** Returns the caller's session information. */
  sessionInfo: (session: SessionHandle) => Promise<SessionInfo>;
}

export function registerContentRoutes(app: FastifyInstance, { content, shell, sessionInfo }: ContentRoutesDeps): void {
  serve(app, 'pageContent', ({ query, lang }) => content.page(query.pageName, lang), recorded);
  serve(app, 'commonSearches', async ({ lang }) => ({ searches: await shell.commonSearches(lang) }), recorded);
  serve(
    app,
    'appInfoInit',
    async ({ session, lang }) => ({
      appContent: await shell.content(lang),
      ...(await sessionInfo(session)),
    }),
    recorded,
  );
}
