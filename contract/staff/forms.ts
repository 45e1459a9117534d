/**
 * The fields of forms, by the kind of document: made from the schemas, so that a field stands once. In the browser build,
 * `web/build-plugins.ts` replaces this file with plain tables.
 */
import type { FieldForm } from '../schemas/common.ts';
import { StoreInput } from '../schemas/store.ts';
import type { StaffMessageKey } from './messages.ts';

export type Control = 'text' | 'texts' | 'number' | 'money' | 'check' | 'list' | 'picture' | 'entries' | 'own';

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
  /** Adds an entry to a list. */
  add?: StaffMessageKey;
  /** Of the entries of a list. */
  fields?: readonly FormField[];
}

/** What forms read of a schema. */
export interface FormNode {
  type?: string;
  unit?: string;
  inLanguages?: boolean;
  form?: FieldForm;
  anyOf?: readonly FormNode[];
  items?: FormNode;
  properties?: Readonly<Record<string, FormNode>>;
}

function controlOf({ type, unit, inLanguages, items }: FormNode): Control | null {
  if (inLanguages) return 'texts';
  if (unit === 'cents') return 'money';
  if (type === 'array') return items?.properties ? 'entries' : 'list';
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
    if (!form.label) return [];
    return {
      ...{ path: at, control, label: form.label, section: inside },
      ...(form.hint && { hint: form.hint }),
      ...(form.add && { add: form.add }),
      ...(form.long && { long: true as const }),
      ...(whole.anyOf?.some(isNull) && { nullable: true as const }),
      ...(control === 'entries' && { fields: formOf(part.items ?? {}, inside) }),
    };
  });
}

export const forms = { store: formOf(StoreInput as FormNode, 'office.store.seen') };
