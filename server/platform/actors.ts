/** Who changes something: a person of the staff by id, a person at the terminal, or the shop itself. */
export type Actor = { kind: 'terminal' | 'system' } | { kind: 'staff'; id: string };

/** An actor as columns keep it: `terminal`, `staff:<id>`. */
export const actorText = (actor: Actor): string => (actor.kind === 'staff' ? `staff:${actor.id}` : actor.kind);

export function actorIn(text: string): Actor {
  const [kind, id] = text.split(':');
  if (kind === 'staff' && id) return { kind, id };
  return { kind: kind === 'terminal' ? kind : 'system' };
}
