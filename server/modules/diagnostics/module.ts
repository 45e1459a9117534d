import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createDiagnosticsService, type DiagnosticsDeps } from './diagnostics.service.ts';
import { createSetup } from './setup.ts';

interface ModuleDeps extends DiagnosticsDeps {
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
}

export function createDiagnosticsModule(deps: ModuleDeps): ServerModule {
  const lacks = createSetup({ ...deps, diagnostics: createDiagnosticsService(deps) });
  return {
    services: {},
    registerRoutes(app) {
      serveStaff(app, 'shopLacks', ({ lang }) => lacks(lang));
    },
  };
}
