/** Adds keywords to schemas: what a field means, and what it is if it is left out. */
import type { TSchema } from 'typebox';

interface Keywords {
  /** What the field means, as editors and the reference of the shop file show it. */
  description?: string;
  /** The value of a field that a file leaves out. */
  default?: unknown;
}

/** The schema with keywords. Copying descriptors preserves its kind, which is a non-enumerable property. */
export function annotated<T extends TSchema>(schema: T, keywords: Keywords): T {
  const added = Object.entries(keywords).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors<object>(schema), ...Object.fromEntries(added) }) as T;
}

/** The schema of a field with what it means. */
export function described<T extends TSchema>(description: string, schema: T): T {
  return annotated(schema, { description });
}

/** The schema of a field that a file may leave out. */
export function withDefault<T extends TSchema>(schema: T, value: unknown): T {
  return annotated(schema, { default: value });
}
