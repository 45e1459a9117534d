/** The single fields of schemas, for tests that walk all of them, so that a new one joins by itself. */
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import { StoreInput } from '#contract/schemas/store.ts';
import { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import { ProductInput } from '#server/modules/catalogue/products/product-input.ts';
import { ShopSettings } from '#server/modules/settings/index.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';

export interface Leaf {
  /** Such as `checkout.lines[].quantity`. */
  name: string;
  node: SchemaNode;
  /** As in its object, which may allow null. */
  schema: TSchema;
  /** How a request may be sent without it. */
  missing: readonly ('absent' | 'null' | 'empty')[];
}

export function leavesOf(node: SchemaNode, name: string, isOptional = false, whole = node): Leaf[] {
  const { properties = {}, patternProperties = {}, required = [], items, anyOf } = node;
  const schema = whole as unknown as TSchema;
  const missing = [
    ...(isOptional ? (['absent'] as const) : []),
    ...(Check(schema, null) ? (['null'] as const) : []),
    ...(Check(schema, '') ? (['empty'] as const) : []),
  ];
  const isLeaf =
    node.type === undefined ? node.enum !== undefined : !['object', 'array', 'null'].includes(node.type);
  return [
    ...Object.entries(properties).flatMap(([field, part]) =>
      leavesOf(part, `${name}.${field}`, !required.includes(field)),
    ),
    ...Object.entries(patternProperties).flatMap(([field, part]) => leavesOf(part, `${name}.${field}`, true)),
    ...(items ? leavesOf(items, `${name}[]`) : []),
    ...(anyOf ?? []).flatMap((member) => leavesOf(member, name, isOptional, node)),
    ...(isLeaf ? [{ name, node, schema, missing }] : []),
  ];
}

/** What merchants write in forms and files. */
export const documentSchemas: Readonly<Record<string, TSchema>> = {
  BrandInput,
  CategoryInput,
  TagInput,
  ModifierGroupInput,
  ProductInput,
  ShopSettings,
  StoreInput,
};
