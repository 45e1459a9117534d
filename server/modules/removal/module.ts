import type { ServerModule } from '#server/platform/server-module.ts';
import {
  createRemovalService,
  type OfficeRemovalDeps,
  type RemovalDeps,
  type RemovalService,
  registerOfficeRemoval,
} from './removal.service.ts';

export function createRemovalModule(deps: RemovalDeps & OfficeRemovalDeps): ServerModule<{ removal: RemovalService }> {
  return { services: { removal: createRemovalService(deps) }, registerRoutes: (app) => registerOfficeRemoval(app, deps) };
}
