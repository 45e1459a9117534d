/** Finds the definition of a block by its type. */
import type { TUnsafe } from 'typebox';
import type { BlockDefinition } from '#blocks/define-block.ts';
import * as definitions from '#blocks/definitions.ts';
import type { Block, StoredBlock } from '#contract/schemas/blocks.ts';

/** A definition whose type is known only at run time. Callers must pass blocks of its own type. */
export type AnyBlockDefinition = BlockDefinition<TUnsafe<StoredBlock>, TUnsafe<Block>, unknown>;

const byType = new Map(Object.entries(definitions) as unknown as [string, AnyBlockDefinition][]);

/** Undefined if this version of the shop has no such block. */
export function definitionOf(type: string): AnyBlockDefinition | undefined {
  return byType.get(type);
}
