import type { Database } from '#db/database.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createSettingsService, type SettingsService } from './settings.service.ts';

export interface SettingsServices {
  settings: SettingsService;
}

export function createSettingsModule(deps: { db: Database }): ServerModule<SettingsServices> {
  return { services: { settings: createSettingsService(deps) } };
}
