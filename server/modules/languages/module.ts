import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createTranslations, type TranslationsService } from './translations.service.ts';

export function createLanguagesModule(deps: {
  db: Database;
  changes: ChangesService;
}): ServerModule<{ translations: TranslationsService }> {
  const translations = createTranslations(deps);
  return {
    services: { translations },
    registerRoutes(app) {
      serveStaff(app, 'translationCounts', ({ permit, query }) => translations.counts(permit, query));
      serveStaff(app, 'translations', ({ permit, query, lang }) => translations.page(permit, query, lang));
      serveStaff(app, 'saveTranslation', ({ permit, body, lang }) => translations.save(permit, body, lang));
    },
  };
}
