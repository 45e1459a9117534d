import type { ServerModule } from '#server/platform/server-module.ts';
import { createRemovalService, type RemovalDeps, type RemovalService } from './removal.service.ts';

export function createRemovalModule(deps: RemovalDeps): ServerModule<{ removal: RemovalService }> {
  return { services: { removal: createRemovalService(deps) } };
}
