/** No operation of staff can be called without one. Only `server/http/staff-endpoint.ts` and the commands make them. */
import type { Permission } from '#contract/staff/permissions.ts';
import type { Actor } from './actors.ts';

export interface Permit<P extends Permission = Permission> {
  readonly permission: P;
  readonly actor: Actor;
  /** Null: all stores. */
  readonly stores: ReadonlySet<string> | null;
  /** What belongs to no store is only within a permit for all of them. */
  reaches(storeId: string | null): boolean;
}

export function mintPermit<P extends Permission>(permission: P, actor: Actor, ids: readonly string[] | null): Permit<P> {
  const stores = ids && new Set(ids);
  return { permission, actor, stores, reaches: (storeId) => stores === null || (storeId !== null && stores.has(storeId)) };
}
