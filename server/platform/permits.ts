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
  /** Of a station at which nobody has entered a PIN: it sees what is open, and nothing that is done. */
  readonly isUnattended: boolean;
  /** Whether its holder has another permission too: one that the call names in `also`. */
  has(other: Permission): boolean;
}

/** `also`: what `has` answers for, besides; the terminal may do everything. */
export function mintPermit<P extends Permission>(
  permission: P,
  actor: Actor,
  ids: readonly string[] | null,
  { also = [], isUnattended = false }: { also?: readonly Permission[]; isUnattended?: boolean } = {},
): Permit<P> {
  const stores = ids && new Set(ids);
  return {
    permission,
    actor,
    stores,
    isUnattended,
    reaches: (storeId) => stores === null || (storeId !== null && stores.has(storeId)),
    has: (other) => actor.kind !== 'staff' || other === permission || also.includes(other),
  };
}
