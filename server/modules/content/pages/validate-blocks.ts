/** Page blocks on the way in, and once more on the way out of the database: judged one by one. */
import Value from 'typebox/value';
import { type BlockType, type StoredBlock, storedBlocks } from '#contract/schemas/blocks.ts';
import { safeHtml } from './rich-text.ts';

export interface ValidatedBlocks {
  blocks: StoredBlock[];
  /** Blocks left out because they are not as their type's schema has them, each with what is wrong. */
  rejected: { id: string; problem: string }[];
  /** Blocks left out because this version of the shop has no such type. */
  unknown: { id: string; type: string }[];
}

/** Keeps the blocks that can be shown, with their rich text made harmless. */
export function validateBlocks(candidates: readonly unknown[]): ValidatedBlocks {
  const validated: ValidatedBlocks = { blocks: [], rejected: [], unknown: [] };
  const ids = new Set<string>();
  for (const [index, candidate] of candidates.entries()) {
    const { id, type } = (typeof candidate === 'object' && candidate !== null ? candidate : {}) as Record<string, unknown>;
    const name = typeof id === 'string' ? id : `block ${index + 1}`;
    if (typeof type !== 'string' || !Object.hasOwn(storedBlocks, type)) {
      validated.unknown.push({ id: name, type: String(type) });
      continue;
    }
    const schema = storedBlocks[type as BlockType];
    const whole = Value.Default(schema, Value.Clone(candidate));
    const [error] = Value.Errors(schema, whole);
    const block = error ? null : (Value.Clean(schema, whole) as StoredBlock);
    const problem = block
      ? ids.has(name)
        ? '/id is used twice'
        : problemOf(block)
      : `${error?.instancePath || '/'} ${error?.message}`;
    if (problem !== null || !block) {
      validated.rejected.push({ id: name, problem: problem ?? '' });
      continue;
    }
    ids.add(name);
    validated.blocks.push(harmless(block));
  }
  return validated;
}

const ownFilm = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:mp4|webm)$/;
const ownSubtitles = /^[A-Za-z0-9][A-Za-z0-9._-]*\.vtt$/;
const filmIds = { youtube: /^[A-Za-z0-9_-]{11}$/, vimeo: /^\d{1,12}$/ };

/** What a schema cannot say. */
function problemOf(block: StoredBlock): string | null {
  if (block.type === 'form') {
    const names = block.fields.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return `/fields two are named ${twice}`;
    const empty = block.fields.findIndex(({ fieldType, options }) => fieldType === 'select' && options.length === 0);
    return empty === -1 ? null : `/fields/${empty}/options must not be empty`;
  }
  if (block.type === 'video') {
    const { provider, src, captions } = block;
    if (provider !== 'file') return filmIds[provider].test(src) ? null : `/src is no id of ${provider}`;
    if (!ownFilm.test(src)) return '/src is no .mp4 or .webm file';
    const bad = captions.findIndex((track) => !ownSubtitles.test(track.src));
    return bad === -1 ? null : `/captions/${bad}/src is no .vtt file`;
  }
  return null;
}

function harmless(block: StoredBlock): StoredBlock {
  if (block.type !== 'text' || block.html === undefined) return block;
  const entries = Object.entries(block.html).map(([locale, html]) => [locale, safeHtml(html)]);
  return { ...block, html: Object.fromEntries(entries) as typeof block.html };
}
