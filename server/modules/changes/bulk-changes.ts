/**
 * Work on many things at once, such as products or the rows of a file. It runs in pieces, each a transaction that also says how far
 * it is, so that shoppers are answered between them, and that it goes on after the end of a process.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { Database } from '#db/database.ts';
import { actorIn } from '#server/platform/actors.ts';
import {
  type BulkChangeRow,
  bulkChangeById,
  claimBulkChange,
  isAnyDue,
  moveBulkChange,
  type NewBulkRow,
  putBulkRows,
} from './bulk-changes.repository.ts';
import type { Change, ChangesService } from './changes.service.ts';

/** How long a piece should take, ms: half of what a transaction of the staff may. */
const pieceMs = 20;
const longestPauseMs = 50;
const mostInPiece = 50;
/** How long work belongs to a process that says nothing, ms. */
const ownedMs = 15_000;

/** What became of one thing, or is to become of it. */
export interface BulkOutcome {
  no: number;
  subject: string;
  fields?: readonly Difference[];
  problems?: readonly Problem[];
  outcome?: string;
  undo?: unknown;
}

interface PiecePhase {
  next: string;
  /** Writes the next of them; fewer than `size`: there are no more. */
  piece(change: Change, row: BulkChangeRow, size: number): Promise<BulkOutcome[]>;
}

interface LongPhase {
  /** Works by itself, and moves the row on. It stops when `own`, which it asks every few seconds, says that another process has it. */
  run(row: BulkChangeRow, own: () => Promise<boolean>): Promise<void>;
}

export interface BulkKind {
  /** For the journal. */
  action: string;
  /** By the state of the row. */
  phases: Readonly<Record<string, PiecePhase | LongPhase>>;
}

export type BulkChanges = ReturnType<typeof createBulkChanges>;

interface Deps {
  db: Database;
  now: () => number;
  changes: ChangesService;
}

export function createBulkChanges(deps: Deps) {
  const { db, now } = deps;
  const kinds = new Map<string, BulkKind>();
  const owner = randomUUID();
  let underWay: Promise<void> | undefined;

  const claimed = (states: readonly string[]) =>
    db.transaction((trx) => claimBulkChange(trx, { states, owner, now: now(), until: now() + ownedMs }));

  async function workOff(): Promise<void> {
    const states = [...new Set([...kinds.values()].flatMap(({ phases }) => Object.keys(phases)))];
    let size = 1;
    while (await isAnyDue(db.read, states)) {
      const row = await claimed(states);
      const kind = row && kinds.get(row.kind);
      const phase = row && kind?.phases[row.state];
      if (!row || !phase) return;
      if ('run' in phase) {
        await phase.run(row, async () => (await claimed([row.state]))?.id === row.id);
        continue;
      }
      size = await pieces(deps, { action: kind.action, phase }, row, { size, until: () => now() + ownedMs });
    }
  }

  return {
    register(name: string, kind: BulkKind): void {
      kinds.set(name, kind);
    },
    /** Does what has been begun, until nothing is left for this process. */
    work(): Promise<void> {
      underWay ??= workOff().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}

/** Until a state is left. Returns the size that pieces came to. */
async function pieces(
  { db, changes }: Deps,
  { action, phase }: { action: string; phase: PiecePhase },
  { id, actor, key_name: key, state }: BulkChangeRow,
  { size: first, until }: { size: number; until: () => number },
): Promise<number> {
  let size = first;
  for (let isLast = false; !isLast; ) {
    const from = performance.now();
    isLast = await changes.run(actorIn(actor, key ?? undefined), action, async (change) => {
      const { trx } = change;
      // Nothing may be left to do, and then nothing is noted.
      change.note('product', id, []);
      const row = await bulkChangeById(trx, id);
      if (row?.state !== state) return true;
      const outcomes = await phase.piece(change, row, size);
      await putBulkRows(db, trx, id, outcomes.map(rowOf));
      const ended = outcomes.length < size;
      await moveBulkChange(trx, id, {
        below: ended ? null : (outcomes.at(-1)?.no ?? row.below),
        done: row.done + outcomes.length,
        owned_until: ended ? 0 : until(),
        ...(ended ? { state: phase.next } : {}),
      });
      return ended;
    });
    const tookMs = performance.now() - from;
    size = Math.max(1, Math.min(mostInPiece, Math.floor((size * pieceMs) / tookMs)));
    // Half of the time belongs to shoppers.
    await pause(Math.min(tookMs, longestPauseMs));
  }
  return size;
}

const rowOf = ({ no, subject, fields, problems = [], outcome, undo }: BulkOutcome): NewBulkRow => ({
  no,
  subject,
  outcome: outcome ?? null,
  undo: undo === undefined ? null : JSON.stringify(undo),
  ...(fields ? { fields: JSON.stringify(problems.length > 0 && outcome === undefined ? [] : fields) } : {}),
  problem: problems.length > 0 ? JSON.stringify(problems) : null,
});
