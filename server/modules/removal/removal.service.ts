/** Removes parts of the shop: says what depends on them, and removes them in one transaction. */
import type { Change } from '#server/modules/changes/index.ts';
import type { RemovalDeps, RemovalReport, RemovalRequest } from './removal-types.ts';
import { removers } from './removers.ts';

export type RemovalService = ReturnType<typeof createRemovalService>;

export function createRemovalService(deps: RemovalDeps) {
  const byKind = removers(deps);
  return {
    /** @throws {RemovalError} if there is no such part, or it cannot be removed; nothing has changed then */
    async remove(change: Change, { kind, id, to, confirmed }: RemovalRequest): Promise<RemovalReport> {
      const remover = byKind[kind];
      const affected = await remover.affected(change.trx, id, to);
      const removed = affected.length === 0 || confirmed;
      if (removed) await remover.remove(change, id, to);
      change.note(kind, id, removed ? undefined : []);
      return { removed, affected };
    },
  };
}
