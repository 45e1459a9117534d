import type { Database } from '#db/database.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createRedirects, type RedirectsService } from './redirects.ts';
import { createSettingsService, type SettingsService } from './settings.service.ts';

export interface SettingsServices {
  settings: SettingsService;
  redirects: RedirectsService;
}

export function createSettingsModule(deps: { db: Database }): ServerModule<SettingsServices> {
  return { services: { settings: createSettingsService(deps), redirects: createRedirects(deps) } };
}
