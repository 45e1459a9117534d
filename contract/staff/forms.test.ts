/** The fields of forms are those of the schemas: a new one has a control and words, or a reason here. */
import { describe, expect, test } from 'vitest';
import { StoreInput } from '#contract/schemas/store.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { leavesOf } from '#tests/schema-leaves.ts';
import { type FormField, forms } from './forms.ts';
import { isStaffKey } from './messages.ts';

const schemas: Readonly<Record<keyof typeof forms, unknown>> = { store: StoreInput };

/** Fields that nobody edits, and why. */
const reasons: Readonly<Record<string, RegExp>> = {
  'orders, stock and addresses refer to it for good': /(^|\.)id$/,
};

const namesOf = (fields: readonly FormField[], before = ''): string[] =>
  fields.flatMap(({ path, control, fields: inner }) => {
    const name = `${before}${path.join('.')}`;
    return control === 'entries' ? namesOf(inner ?? [], `${name}[].`) : [name];
  });

describe.each(Object.keys(forms) as (keyof typeof forms)[])('the form of a %s', (kind) => {
  const drawn = namesOf(forms[kind]);
  const leaves = [...new Set(leavesOf(schemas[kind] as SchemaNode, '').map(({ name }) => name.slice(1)))];
  const isDrawn = (leaf: string) =>
    drawn.some((name) => leaf === name || leaf.startsWith(`${name}.`) || leaf.startsWith(`${name}[]`));

  test('each field of the schema has a control in the form, or a reason to have none', () => {
    const without = leaves.filter((leaf) => !isDrawn(leaf));
    expect(without.filter((leaf) => !Object.values(reasons).some((reason) => reason.test(leaf)))).toEqual([]);
    expect(drawn.filter((name) => !leaves.some((leaf) => leaf === name || leaf.startsWith(name)))).toEqual([]);
  });

  test('the words of each field are messages, in every language', () => {
    const fields = forms[kind].flatMap((field) => [field, ...(field.fields ?? [])]);
    const words = fields.flatMap(({ label, hint, section, add }) => [label, hint ?? label, section, add ?? label]);
    expect(words.filter((key) => !isStaffKey(key))).toEqual([]);
  });
});
