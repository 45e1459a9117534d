/** Adds keywords to schemas: what a field means, and what it is if it is left out. */
import type { TSchema } from 'typebox';

interface Keywords {
  description?: string;
  default?: unknown;
}

/** Copying descriptors preserves a schema's kind, which is a non-enumerable property. */
export function annotated<T extends TSchema>(schema: T, keywords: Keywords): T {
  const added = Object.entries(keywords).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors<object>(schema), ...Object.fromEntries(added) }) as T;
}

export function described<T extends TSchema>(description: string, schema: T): T {
  return annotated(schema, { description });
}

export function withDefault<T extends TSchema>(schema: T, value: unknown): T {
  return annotated(schema, { default: value });
}
