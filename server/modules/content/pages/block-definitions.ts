/** Finds the definition of a block by its type. */
import type { TSchema, TUnsafe } from 'typebox';
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

/** The schemas of all blocks as merchants write them, in the order of their types. */
export const storedBlockSchemas: readonly TSchema[] = Object.values(definitions).map(({ stored }) => stored);
