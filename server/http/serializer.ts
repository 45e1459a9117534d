import type { TSchema } from 'typebox';
import { compiled } from './validation.ts';

/** A response that is JSON already, for calls so frequent that serialising is most of their work. */
export class PreSerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

type Pick = (value: unknown) => unknown;

interface SchemaNode {
  type?: string;
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * With `check`, a value that does not match is a crash (development and tests); without, only the fields of the schema are sent.
 */
export function createSerializer(schema: TSchema, check: boolean): (value: unknown) => string {
  // Made by the first answer: of hundreds of calls a process serves some, and a start waits for all.
  let pick: Pick | null | undefined;
  return (answer) => {
    if (answer instanceof PreSerializedJson && !check) return answer.json;
    const value = answer instanceof PreSerializedJson ? JSON.parse(answer.json) : answer;
    if (check && !compiled(schema).Check(value)) {
      const first = compiled(schema).Errors(value)[0];
      throw new Error(`The answer does not fit its schema: ${first?.instancePath} ${first?.message}`);
    }
    if (answer instanceof PreSerializedJson) return answer.json;
    if (pick === undefined) pick = picker(schema as SchemaNode);
    return JSON.stringify(pick ? pick(value) : value);
  };
}

function picker(schema: SchemaNode): Pick | null {
  if (schema.anyOf) return unionPicker(schema.anyOf);
  if (schema.type === 'array' && schema.items) {
    const item = picker(schema.items);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  if (schema.type !== 'object' || !schema.properties) return null;
  const fields = Object.entries(schema.properties).map(([name, property]) => [name, picker(property)] as const);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const source = value as Record<string, unknown>;
    const copy: Record<string, unknown> = {};
    for (const [name, pick] of fields) {
      const field = source[name];
      if (field !== undefined) copy[name] = pick ? pick(field) : field;
    }
    return copy;
  };
}

function unionPicker(members: SchemaNode[]): Pick | null {
  const objects = members.flatMap((member) => {
    const pick = picker(member);
    return pick ? [{ constants: constantsOf(member), pick }] : [];
  });
  if (objects.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    const member = objects.find(({ constants }) => constants.every(([name, constant]) => fields[name] === constant));
    return member ? member.pick(value) : value;
  };
}

function constantsOf(schema: SchemaNode): [string, unknown][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    property.const === undefined ? [] : [[name, property.const] as [string, unknown]],
  );
}
