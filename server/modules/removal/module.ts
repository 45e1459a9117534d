import type { ServerModule } from '#server/platform/server-module.ts';
import { type OfficeRemovalDeps, registerOfficeRemoval } from './office-removal.ts';
import { createRemovalService, type RemovalDeps, type RemovalService } from './removal.service.ts';

export function createRemovalModule(deps: RemovalDeps & OfficeRemovalDeps): ServerModule<{ removal: RemovalService }> {
  return { services: { removal: createRemovalService(deps) }, registerRoutes: (app) => registerOfficeRemoval(app, deps) };
}
