/** The most that a call may be sent, from its schema. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { SchemaNode } from '#server/platform/schema-problems.ts';

/** Values that exist, by the name of the field that holds them: a call that finds what it is about does all of its work. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Where a schema says no limit, the size of the body is the limit. */
const [mostItems, mostCharacters] = [20_000, 20_000];
/** Where the page before ended: the first one has none. */
const places: ReadonlySet<string> = new Set(['after', 'before', 'since']);
const texts = [
  'ab',
  '7',
  '2026-11-01',
  '10:30',
  'b@shop.example',
  '#aa8866',
  'https://shop.example/a',
  'en',
  'CAD',
  '/a',
];
const words = 'green mug and a white pot ';

/**
 * The largest value that the schema allows, of at most so many bytes as JSON: every field, the longest of what may stand there, lists and
 * texts as long as they may be, or so much shorter that all of it fits.
 */
export function dearest(schema: TSchema, known: Known, bytes: number): unknown {
  const sized = (share: number) => new Filler(known, share).fill(schema, '');
  const fits = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '') <= bytes;
  // From below: lists within lists would be far larger than any body.
  let [low, high] = [0, 1 / 4096];
  while (high < 1 && fits(sized(high))) [low, high] = [high, high * 2];
  if (high === 1 && fits(sized(1))) return sized(1);
  for (let step = 0; step < 8; step++) {
    const middle = (low + high) / 2;
    if (fits(sized(middle))) low = middle;
    else high = middle;
  }
  return sized(low);
}

class Filler {
  readonly #known: Known;
  readonly #share: number;
  readonly #fitting = new Map<TSchema, readonly unknown[]>();
  #count = 0;

  constructor(known: Known, share: number) {
    this.#known = known;
    this.#share = share;
  }

  fill(schema: TSchema, name: string): unknown {
    const node = schema as unknown as SchemaNode & { const?: unknown; maxItems?: number; minItems?: number };
    if (node.const !== undefined) return node.const;
    // In a list no value twice.
    if (node.enum) return node.enum[this.#count++ % node.enum.length];
    if (node.anyOf) return longest(node.anyOf.map((member) => this.fill(member as unknown as TSchema, name)));
    switch (node.type) {
      case 'object': {
        const named = Object.entries(node.properties ?? {})
          .filter(([field]) => !places.has(field))
          .map(([field, part]) => [field, this.#part(part, field)]);
        const [free] = Object.values(node.patternProperties ?? {});
        const more = free ? ['en', 'zh'].map((field) => [field, this.#part(free, field)]) : [];
        return Object.fromEntries([...named, ...more]);
      }
      case 'array': {
        const { items, maxItems = mostItems, minItems = 0 } = node;
        const length = Math.max(minItems, Math.floor(maxItems * this.#share));
        return items ? Array.from({ length }, () => this.#part(items, name)) : [];
      }
      case 'integer':
      case 'number':
        return this.#next(name, schema) ?? Math.min(node.maximum ?? 1000, 1_000_000);
      case 'boolean':
        return true;
      case 'string':
        return this.#next(name, schema) ?? this.#text(node);
      default:
        return node.type === 'null' ? null : (this.#next(name, schema) ?? 'x');
    }
  }

  #part(node: SchemaNode, name: string): unknown {
    return this.fill(node as unknown as TSchema, name);
  }

  /** The next of those that are known and fit. */
  #next(name: string, schema: TSchema): unknown {
    const fit =
      this.#fitting.get(schema) ?? (this.#known[name] ?? []).filter((value) => Check(schema, value));
    this.#fitting.set(schema, fit);
    return fit[this.#count++ % fit.length];
  }

  #text({ pattern, maxLength = mostCharacters }: SchemaNode): string {
    const length = Math.max(1, Math.floor(maxLength * this.#share));
    if (!pattern) return words.repeat(Math.ceil(length / words.length)).slice(0, length);
    const form = new RegExp(pattern, 'u');
    const long = [words, ...texts].map((text) =>
      text.repeat(Math.ceil(length / text.length)).slice(0, length),
    );
    this.#count += 1;
    const own = [`key-${String(this.#count).padStart(20, '0')}`];
    return (
      [...long, ...own, ...texts].find((text) => form.test(text)) ??
      fc.sample(fc.stringMatching(form), 1)[0] ??
      ''
    );
  }
}

function longest(values: readonly unknown[]): unknown {
  return values.toSorted((a, b) => (JSON.stringify(b)?.length ?? 0) - (JSON.stringify(a)?.length ?? 0))[0];
}
