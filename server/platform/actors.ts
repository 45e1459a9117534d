/** `key`: the name of the key by which a program acts for the person; it refunds at most `mostRefund` of an order, cents. */
export type Actor =
  | { kind: 'terminal' | 'system' }
  | { kind: 'staff'; id: string; key?: string; mostRefund?: number };

/** As columns keep it: `terminal`, `staff:<id>`. */
export const actorText = (actor: Actor): string =>
  actor.kind === 'staff' ? `staff:${actor.id}` : actor.kind;

export function actorIn(text: string, key?: string): Actor {
  const [kind, id] = text.split(':');
  if (kind === 'staff' && id) return { kind, id, ...(key === undefined ? {} : { key }) };
  return { kind: kind === 'terminal' ? kind : 'system' };
}

/** The name of the key by which a program acted; null for everybody else. */
export const keyOf = (actor: Actor): string | null => (actor.kind === 'staff' ? (actor.key ?? null) : null);
