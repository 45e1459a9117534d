import type { Database } from '#db/database.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { registerEmails } from './email.kind.ts';
import { registerNavigation } from './navigation.kind.ts';
import { registerShopSettings } from './office-settings.ts';
import { registerRedirects } from './redirect.kind.ts';
import { createRedirects, type RedirectsService } from './redirects.ts';
import { createSettingsService, type SettingsService } from './settings.service.ts';

export interface SettingsServices {
  settings: SettingsService;
  redirects: RedirectsService;
}

export function createSettingsModule(deps: {
  db: Database;
  changes: ChangesService;
}): ServerModule<SettingsServices> {
  const settings = createSettingsService(deps);
  const redirects = createRedirects(deps);
  return {
    services: { settings, redirects },
    registerRoutes(app) {
      registerShopSettings(app, { ...deps, settings });
      registerNavigation(app, { ...deps, settings });
      registerEmails(app, { ...deps, settings });
      registerRedirects(app, { ...deps, redirects });
    },
  };
}
