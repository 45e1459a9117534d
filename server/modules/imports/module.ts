import type { ServerModule } from '#server/platform/server-module.ts';
import { createImportsService, type ImportsDeps, type ImportsService } from './imports.service.ts';

export function createImportsModule(deps: ImportsDeps): ServerModule<{ imports: ImportsService }> {
  return { services: { imports: createImportsService(deps) } };
}
