/** Removes parts of the shop: says what depends on them, and removes them in one transaction. */
import type { RemovalDeps, RemovalReport, RemovalRequest } from './removal-types.ts';
import { removers } from './removers.ts';

export type RemovalService = ReturnType<typeof createRemovalService>;

export function createRemovalService(deps: RemovalDeps) {
  const byKind = removers(deps);
  return {
    /** @throws {RemovalError} if there is no such part, or it cannot be removed; nothing has changed then */
    remove: ({ kind, id, to, confirmed }: RemovalRequest): Promise<RemovalReport> =>
      deps.db.transaction(async (trx) => {
        const remover = byKind[kind];
        const affected = await remover.affected(trx, id, to);
        if (affected.length > 0 && !confirmed) return { removed: false, affected };
        await remover.remove(trx, id, to);
        return { removed: true, affected };
      }),
  };
}
