/** Collects what the blocks of all pages require of the server: feeds to read, sites to frame, forms to accept. */
import type { TSchema, TUnsafe } from 'typebox';
import Value from 'typebox/value';
import type { BlockDefinition, PublishedFacts, PublishedForm } from '#blocks/define-block.ts';
import * as definitions from '#blocks/definitions.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import type { Block, StoredBlock } from '#contract/schemas/blocks.ts';
import type { Database } from '#db/database.ts';
import { blockRichText } from '#server/platform/html.ts';
import { cachedByTopics, topics } from '#server/platform/recorded-reads.ts';
import { knownFields, schemaProblems } from '#server/platform/schema-problems.ts';
import { allBlocks } from './pages.repository.ts';

/** Validates page blocks one by one, when they are written and again when they are read from the database. */
export interface ValidatedBlocks {
  blocks: StoredBlock[];
  /** Why blocks are left out: they do not fit the schema of their type, or this version of the shop has no such type. */
  problems: Problem[];
}

/** Returns the blocks that can be shown, with sanitised rich text. `closed` rejects blocks with unknown fields, too. */
export function validateBlocks(candidates: readonly unknown[], { closed = false } = {}): ValidatedBlocks {
  const validated: ValidatedBlocks = { blocks: [], problems: [] };
  const ids = new Set<string>();
  for (const [index, candidate] of candidates.entries()) {
    const { id, type } = (typeof candidate === 'object' && candidate !== null ? candidate : {}) as Record<
      string,
      unknown
    >;
    const name = typeof id === 'string' ? id : String(index);
    const definition = typeof type === 'string' ? definitionOf(type) : undefined;
    const checked = definition ? validateBlock(candidate, definition, closed) : unknownType(type);
    if (ids.has(name)) checked.problems.push(problem(['id'], 'problem.repeated'));
    validated.problems.push(...checked.problems.map((each) => ({ ...each, path: [name, ...each.path] })));
    if (!definition || !checked.block || checked.problems.length > 0) continue;
    ids.add(name);
    validated.blocks.push(definition.sanitize?.(checked.block, blockRichText) ?? checked.block);
  }
  return validated;
}

function unknownType(type: unknown): Validation {
  const allowed = Object.keys(definitions).join(', ');
  return { block: null, problems: [problem([], 'problem.block.type', { found: shown(type), allowed })] };
}

interface Validation {
  block: StoredBlock | null;
  problems: Problem[];
}

/** Fills in defaults, removes fields that the schema does not name, and checks what the schema cannot. */
function validateBlock(
  candidate: unknown,
  { stored, validate }: AnyBlockDefinition,
  closed: boolean,
): Validation {
  const complete = Value.Default(stored, Value.Clone(candidate));
  if (closed || !Value.Check(stored, complete)) {
    const problems = schemaProblems(stored, complete, { closed });
    if (problems.length > 0) return { block: null, problems };
  }
  const block = knownFields(stored, complete) as StoredBlock;
  return { block, problems: validate?.(block) ?? [] };
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

export type PublishedBlocks = ReturnType<typeof createPublishedBlocks>;

export function createPublishedBlocks({ db }: { db: Database }) {
  const load = cachedByTopics(db, [topics.publishedBlocks], async () => {
    const pages = await allBlocks(db.read);
    return pages.flatMap((blocks) => publishedFacts(validateBlocks(parsed(blocks)).blocks));
  });
  return {
    async feeds(): Promise<string[]> {
      return unique((await load()).flatMap(({ feeds = [] }) => feeds));
    },
    /** Sorted. The same on every page, since a visitor keeps the content security policy of the first. */
    async framedSites(): Promise<string[]> {
      return unique((await load()).flatMap(({ framedSites = [] }) => framedSites)).sort();
    },
    async forms(): Promise<PublishedForm[]> {
      return (await load()).flatMap(({ form }) => form ?? []);
    },
  };
}

export function publishedFacts(blocks: readonly StoredBlock[]): PublishedFacts[] {
  return blocks.map((block) => definitionOf(block.type)?.publish?.(block) ?? {});
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Parses the blocks of a page's row. Text that is not a JSON list yields no blocks. */
export function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
