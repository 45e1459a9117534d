import type { ServerModule } from '#server/platform/server-module.ts';
import {
  createRemovalService,
  type OfficeRemovalDeps,
  type RemovalDeps,
  type RemovalService,
  registerOfficeRemoval,
} from './removal.service.ts';

export function createRemovalModule(
  deps: RemovalDeps & Omit<OfficeRemovalDeps, 'removal'>,
): ServerModule<{ removal: RemovalService }> {
  const services = { removal: createRemovalService(deps) };
  return { services, registerRoutes: (app) => registerOfficeRemoval(app, { ...deps, ...services }) };
}
