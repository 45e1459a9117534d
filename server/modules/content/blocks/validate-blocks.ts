/** Validates page blocks one by one, when they are written and again when they are read from the database. */

import type { TSchema, TUnsafe } from 'typebox';
import Value from 'typebox/value';
import type { BlockDefinition } from '#blocks/define-block.ts';
import * as definitions from '#blocks/definitions.ts';
import type { Block, StoredBlock } from '#contract/schemas/blocks.ts';
import { problemLine, schemaProblems } from '#server/platform/schema-problems.ts';
import { blockRichText } from './rich-text.ts';

export interface ValidatedBlocks {
  blocks: StoredBlock[];
  /** Blocks left out because they do not fit the schema of their type, each with the problem. */
  rejected: { id: string; problem: string }[];
  /** Blocks left out because this version of the shop has no such type. */
  unknown: { id: string; type: string }[];
}

/** Returns the blocks that can be shown, with sanitised rich text. `closed` rejects blocks with unknown fields, too. */
export function validateBlocks(candidates: readonly unknown[], { closed = false } = {}): ValidatedBlocks {
  const validated: ValidatedBlocks = { blocks: [], rejected: [], unknown: [] };
  const ids = new Set<string>();
  for (const [index, candidate] of candidates.entries()) {
    const { id, type } = (typeof candidate === 'object' && candidate !== null ? candidate : {}) as Record<string, unknown>;
    const name = typeof id === 'string' ? id : `block ${index + 1}`;
    const definition = typeof type === 'string' ? definitionOf(type) : undefined;
    if (!definition) {
      validated.unknown.push({ id: name, type: String(type) });
      continue;
    }
    const { block, problem } = validateBlock(candidate, definition, closed);
    if (!block || ids.has(name)) {
      validated.rejected.push({ id: name, problem: problem ?? '/id is used twice' });
      continue;
    }
    ids.add(name);
    validated.blocks.push(definition.sanitize?.(block, blockRichText) ?? block);
  }
  return validated;
}

type Validation = { block: StoredBlock; problem: null } | { block: null; problem: string };

/** Fills in defaults, removes fields that the schema does not name, and checks what the schema cannot. */
function validateBlock(candidate: unknown, { stored, validate }: AnyBlockDefinition, closed: boolean): Validation {
  const complete = Value.Default(stored, Value.Clone(candidate));
  if (closed || !Value.Check(stored, complete)) {
    const problems = schemaProblems(stored, complete, { closed }).map(problemLine);
    if (problems.length > 0) return { block: null, problem: problems.join('; ') };
  }
  const block = Value.Clean(stored, complete) as StoredBlock;
  const problem = validate?.(block) ?? null;
  return problem === null ? { block, problem } : { block: null, problem };
}

/** A definition whose type is known only at run time. Callers must pass blocks of its own type. */
type AnyBlockDefinition = BlockDefinition<TUnsafe<StoredBlock>, TUnsafe<Block>, unknown>;

const byType = new Map(Object.entries(definitions) as unknown as [string, AnyBlockDefinition][]);

/** Undefined if this version of the shop has no such block. */
export function definitionOf(type: string): AnyBlockDefinition | undefined {
  return byType.get(type);
}

/** The schemas of all blocks as merchants write them, in the order of their types. */
export const storedBlockSchemas: readonly TSchema[] = Object.values(definitions).map(({ stored }) => stored);
