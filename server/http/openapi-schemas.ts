import type { TSchema } from 'typebox';
import * as account from '#contract/schemas/account.ts';
import * as blocks from '#contract/schemas/blocks.ts';
import * as blog from '#contract/schemas/blog.ts';
import * as catalogue from '#contract/schemas/catalogue.ts';
import * as checkout from '#contract/schemas/checkout.ts';
import * as common from '#contract/schemas/common.ts';
import * as feeds from '#contract/schemas/feeds.ts';
import * as modifiers from '#contract/schemas/modifiers.ts';
import * as order from '#contract/schemas/order.ts';
import * as orderPayment from '#contract/schemas/order-payment.ts';
import * as payment from '#contract/schemas/payment.ts';
import * as paymentConfig from '#contract/schemas/payment-config.ts';
import * as shop from '#contract/schemas/shop.ts';
import { providerSchemas } from '#contract/shop/payment.ts';

export type Json = Record<string, unknown>;

/** Primitive types that have a meaning of their own; other strings and numbers stay where they are used. */
const primitives: readonly unknown[] = [common.Cents, common.EpochMs, common.Id];

/** JSON of a schema to its name in the contract. Equal schemas have one name, however they were composed and described. */
const names = new Map<string, string>();
const originals = new Map<string, unknown>();
const withoutDescription = ({ description: _, ...schema }: Json) => JSON.stringify(schema);
const sources = [
  common,
  shop,
  catalogue,
  modifiers,
  orderPayment,
  order,
  checkout,
  payment,
  paymentConfig,
  providerSchemas,
  account,
  blog,
  feeds,
  blocks,
  blocks.shownBlocks,
];
for (const [name, value] of sources.flatMap(Object.entries)) {
  if (!isNamed(value)) continue;
  originals.set(name, originals.get(name) ?? value);
  for (const key of [JSON.stringify(value), withoutDescription(value as Json)]) if (!names.has(key)) names.set(key, name);
}

function isNamed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('~kind' in value)) return false;
  return primitives.includes(value) || !('type' in value) || value.type === 'object' || value.type === 'array';
}

export type SchemaCollection = ReturnType<typeof collectSchemas>;

export function collectSchemas() {
  const schemas: Record<string, unknown> = {};

  function refer(schema: unknown): unknown {
    const name = names.get(JSON.stringify(schema));
    if (name !== undefined) return define(name, schema);
    return describedPart(schema) ?? partsOf(schema);
  }

  /** A field with its own description of a named schema. */
  function describedPart(schema: unknown): Json | undefined {
    if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined;
    const name = names.get(withoutDescription(schema as Json));
    return name === undefined ? undefined : { ...define(name, originals.get(name)), description: schema.description };
  }

  function define(name: string, schema: unknown): Json {
    if (!Object.hasOwn(schemas, name)) {
      schemas[name] = null;
      schemas[name] = partsOf(schema);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** With a `$ref` for each part that has a name. */
  function partsOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    // What the imports of merchants' files read are no keywords of OpenAPI.
    const keywords = Object.entries(value).filter(([key]) => key !== 'problem' && key !== 'inLanguages');
    const parts = Object.fromEntries(keywords.map(([key, part]) => [key, key === 'enum' ? part : refer(part)]));
    // TypeBox leaves out the type of an enum, which generators of clients ask for.
    return 'enum' in parts ? { type: 'string', ...parts } : parts;
  }

  return {
    schemas,
    /** The JSON Schema to print for a schema: a `$ref` if it has a name, otherwise itself with its named parts as `$ref`. */
    refer,
    /** An object without a name in the contract is collected as `name`. */
    referAs(name: string, schema: TSchema): unknown {
      const isObject = 'type' in schema && schema.type === 'object';
      return isObject && !names.has(JSON.stringify(schema)) ? define(name, schema) : refer(schema);
    },
  };
}
