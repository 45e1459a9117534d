/** The fields of forms are those of the schemas: a new one has a control and words, or a reason here. */
import { describe, expect, test } from 'vitest';
import * as blocks from '#blocks/definitions.ts';
import { PageDocument } from '#contract/schemas/page.ts';
import { StoreInput } from '#contract/schemas/store.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { leavesOf } from '#tests/schema-leaves.ts';
import { blockForms, type FormField, forms } from './forms.ts';
import { isStaffKey } from './messages.ts';

const documents: Readonly<Record<keyof typeof forms, unknown>> = { store: StoreInput, page: PageDocument };
const schemas: Readonly<Record<string, unknown>> = {
  ...documents,
  ...Object.fromEntries(Object.entries(blocks).map(([type, { stored }]) => [`block ${type}`, stored])),
};
const allForms: Readonly<Record<string, readonly FormField[]>> = {
  ...forms,
  ...Object.fromEntries(Object.entries(blockForms).map(([type, fields]) => [`block ${type}`, fields])),
};

/** Fields that nobody edits, and why. */
const reasons: Readonly<Record<string, RegExp>> = {
  'orders, stock, links and addresses refer to it for good': /(^|\.)id$/,
  'a block is of one kind for good': /^type$/,
};

const namesOf = (fields: readonly FormField[], before = ''): string[] =>
  fields.flatMap(({ path, control, fields: inner }) => {
    const name = `${before}${path.join('.')}`;
    return control === 'entries' || (control === 'rows' && inner?.[0]?.path.length !== 0)
      ? namesOf(inner ?? [], `${name}[].`)
      : [name];
  });

describe.each(Object.keys(allForms))('the form of a %s', (kind) => {
  const form = allForms[kind] ?? [];
  const drawn = namesOf(form);
  const leaves = [...new Set(leavesOf(schemas[kind] as SchemaNode, '').map(({ name }) => name.slice(1)))];
  const isDrawn = (leaf: string) =>
    drawn.some((name) => leaf === name || leaf.startsWith(`${name}.`) || leaf.startsWith(`${name}[]`));

  test('each field of the schema has a control in the form, or a reason to have none', () => {
    const without = leaves.filter((leaf) => !isDrawn(leaf));
    expect(without.filter((leaf) => !Object.values(reasons).some((reason) => reason.test(leaf)))).toEqual([]);
    const ofSchema = Object.keys((schemas[kind] as SchemaNode).properties ?? {});
    const isKnown = (name: string) => ofSchema.includes(name) || leaves.some((leaf) => leaf === name || leaf.startsWith(name));
    expect(drawn.filter((name) => !isKnown(name))).toEqual([]);
  });

  test('the words of each field are messages, in every language', () => {
    const inner = (fields: readonly FormField[]): FormField[] => fields.flatMap((field) => [field, ...inner(field.fields ?? [])]);
    const words = inner(form).flatMap(({ label, hint, section, add, options = [] }) => [
      ...[label, hint ?? label, section, add ?? label],
      ...options.map((option) => option.label),
    ]);
    expect(words.filter((key) => !isStaffKey(key))).toEqual([]);
  });
});
