/**
 * The fields of forms, by the kind of document: made from the schemas, so that a field stands once. In the browser build,
 * `web/build-plugins.ts` replaces this file with plain tables.
 */
import * as blocks from '#blocks/definitions.ts';
import type { BlockType } from '../schemas/blocks.ts';
import type { FieldForm } from '../schemas/common.ts';
import { PageDocument } from '../schemas/page.ts';
import { StoreInput } from '../schemas/store.ts';
import type { StaffMessageKey } from './messages.ts';

/** `entries` are named by their ids, `rows` by their places alone. */
export type Control =
  | 'text'
  | 'texts'
  | 'richText'
  | 'number'
  | 'money'
  | 'check'
  | 'choice'
  | 'link'
  | 'list'
  | 'picture'
  | 'entries'
  | 'rows'
  | 'own'
  | 'unique';

export interface FormField {
  /** From the document, or from the entry of a list. */
  path: readonly string[];
  control: Control;
  label: StaffMessageKey;
  hint?: StaffMessageKey;
  /** That of the list, for entries. */
  section: StaffMessageKey;
  long?: true;
  /** Null stands for an empty field. */
  nullable?: true;
  /** It is left out if it is empty. */
  optional?: true;
  /** Of a choice. */
  options?: readonly { value: string; label: StaffMessageKey }[];
  /** Of a new entry. */
  initial?: string | number;
  /** Adds an entry to a list. */
  add?: StaffMessageKey;
  /** Of the entries of a list. */
  fields?: readonly FormField[];
}

/** What forms read of a schema. */
export interface FormNode {
  type?: string;
  unit?: string;
  enum?: readonly string[];
  default?: unknown;
  minimum?: number;
  required?: readonly string[];
  inLanguages?: boolean;
  form?: FieldForm;
  anyOf?: readonly FormNode[];
  items?: FormNode;
  properties?: Readonly<Record<string, FormNode>>;
}

function controlOf({ type, unit, inLanguages, items, enum: choices }: FormNode): Control | null {
  if (inLanguages) return 'texts';
  if (choices) return 'choice';
  if (unit === 'cents') return 'money';
  if (type === 'array') return !items?.properties ? 'list' : items.properties.id ? 'entries' : 'rows';
  return type === 'boolean' ? 'check' : type === 'integer' || type === 'number' ? 'number' : type === 'object' ? null : 'text';
}

/** The fields of an object that have words of their own, those of objects within it among them; `section` has what names none. */
export function formOf(node: FormNode, section: StaffMessageKey, path: readonly string[] = []): FormField[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, whole]) => {
    const isNull = (each: FormNode) => each.type === 'null';
    const part = whole.anyOf?.find((each) => !isNull(each)) ?? whole;
    const form = { ...part.form, ...whole.form };
    const at = [...path, name];
    const inside = form.section ?? section;
    const control = form.control ?? controlOf(part);
    if (control === null) return formOf(part, inside, at);
    const { label } = form;
    if (!label) return [];
    const initial = form.initial ?? numberOf(part.default) ?? part.minimum;
    return {
      ...{ path: at, control, label, section: inside },
      ...(form.hint && { hint: form.hint }),
      ...(form.add && { add: form.add }),
      ...(form.long && { long: true as const }),
      ...(whole.anyOf?.some(isNull) && { nullable: true as const }),
      ...(node.required && !node.required.includes(name) && { optional: true as const }),
      ...(control === 'choice' && { options: choicesOf(part, label) }),
      ...(initial !== undefined && { initial }),
      ...((control === 'entries' || control === 'rows') && { fields: fieldsOf(part.items ?? {}, label, inside) }),
    };
  });
}

const choicesOf = (part: FormNode, label: StaffMessageKey) =>
  (part.enum ?? []).map((value) => ({ value, label: `${label}.${value}` as StaffMessageKey }));
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Of the entries of a list; of texts, the text itself. */
function fieldsOf(items: FormNode, label: StaffMessageKey, section: StaffMessageKey): FormField[] {
  return items.inLanguages ? [{ path: [], control: 'texts', label, section, long: true }] : formOf(items, section);
}

export const forms = {
  store: formOf(StoreInput as unknown as FormNode, 'office.store.seen'),
  page: formOf(PageDocument as unknown as FormNode, 'office.page.head'),
};

/** Of the blocks of pages, by their types. */
export const blockForms = Object.fromEntries(
  Object.entries(blocks).map(([type, { stored }]) => [type, formOf(stored as unknown as FormNode, 'office.page.blocks')]),
) as unknown as Readonly<Record<BlockType, readonly FormField[]>>;
