export type Actor = { kind: 'terminal' | 'system' } | { kind: 'staff'; id: string };

/** As columns keep it: `terminal`, `staff:<id>`. */
export const actorText = (actor: Actor): string =>
  actor.kind === 'staff' ? `staff:${actor.id}` : actor.kind;

export function actorIn(text: string): Actor {
  const [kind, id] = text.split(':');
  if (kind === 'staff' && id) return { kind, id };
  return { kind: kind === 'terminal' ? kind : 'system' };
}
