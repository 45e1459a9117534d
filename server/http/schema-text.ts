/** Describes schemas for readers: an outline and an example. */

import type { TSchema } from 'typebox';
import { exampleGateway } from '#contract/payment-endpoints.ts';

interface Node {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  examples?: unknown[];
}

/** TypeBox stores the `Type.Optional` marker beside the schema's own keys. */
export function isOptional(schema: TSchema): boolean {
  return '~optional' in schema;
}

/** Outlines a schema, indented: `{ quantity: integer -1000000…1000000, sku?: string ≤ 100 }`. */
export function describeSchema(schema: TSchema, indent = ''): string {
  const node = schema as Node;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (node.anyOf) return node.anyOf.map((member) => describeSchema(member, indent)).join(' | ');
  if (node.type === 'array' && node.items) return `[${describeSchema(node.items, indent)}]`;
  if (node.type === 'object' && node.properties) {
    const inner = `${indent}  `;
    const lines = Object.entries(node.properties).map(
      ([name, property]) => `${inner}${name}${isOptional(property) ? '?' : ''}: ${describeSchema(property, inner)}`,
    );
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  return `${node.type ?? 'anything'}${range(node)}`;
}

function range({ minimum, maximum, maxLength }: Node): string {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum}…${maximum}`;
  if (minimum !== undefined) return ` ≥ ${minimum}`;
  return maxLength === undefined ? '' : ` ≤ ${maxLength} characters`;
}

/** Example values of well-known fields; the others have those of their schemas, or one that is generated. */
const examples: Record<string, unknown> = {
  itemName: 'MC-MUG-OAT',
  sku: 'MC-MUG-OAT',
  productID: 'speckled-mug',
  productid: 'speckled-mug',
  product: 'speckled-mug',
  nameLike: 'mug',
  condition: 'all',
  gatewayName: exampleGateway,
  pageName: 'home',
  localStoreName: 'toronto-queen-west',
  date: '2026-06-01',
  quantity: 2,
  streetNumberAndNameDetails: '1 Queen Street West',
  city: 'Toronto',
  province: 'Ontario',
  postCode: 'M5H 2M9',
  country: 'Canada',
  countryISOCode: 'CA',
  firstName: 'Mei',
  lastName: 'Chen',
  phoneNumber: '416 555 0100',
  contactPhone: '416 555 0100',
  email: 'mei@example.com',
  cardHolderName: 'Mei Chen',
  creditCardNumber: '4242424242424242',
  cardCode: '123',
  expirationMonth: 12,
  expirationYear: 2030,
  pickupDate: 1_780_000_000_000,
};

/** Returns an example value that matches the schema, with the fields a client would send. */
export function example(schema: TSchema, name = ''): unknown {
  const node = schema as Node;
  if (Object.hasOwn(examples, name)) return examples[name];
  if (node.examples?.length) return node.examples[0];
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  if (node.anyOf?.[0]) return example(node.anyOf[0], name);
  if (node.type === 'array') return node.items ? [example(node.items)] : [];
  if (node.type === 'object') {
    const shown = Object.entries(node.properties ?? {}).filter(
      ([key, property]) => !isOptional(property) || Object.hasOwn(examples, key),
    );
    return Object.fromEntries(shown.map(([key, property]) => [key, example(property, key)]));
  }
  if (node.type === 'integer' || node.type === 'number') return Math.max(node.minimum ?? 0, 1);
  if (node.type === 'boolean') return true;
  return node.pattern ? 'name' : '';
}
