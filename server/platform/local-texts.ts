/** The texts of a document that are in several languages: its schema says which, and nothing else does. */
import type { TSchema } from 'typebox';
import type { Locale } from '#contract/locales.ts';
import { entryNames } from '#contract/rules/patch.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import type { SchemaNode } from './schema-problems.ts';

/** The schema of an entry that another schema leaves open, such as a block of a page. */
export type OpenSchema = (entry: unknown) => TSchema | undefined;

/** What a form calls a field, or an entry of a list by its place. */
export interface LabelPart {
  key: StaffMessageKey;
  /** From 1; 0 for a field. */
  number: number;
}

export interface TextInLanguages {
  /** From the document; through lists whose entries have no names by their places. */
  path: readonly string[];
  /** From the outside in. */
  labels: readonly LabelPart[];
  form: 'line' | 'lines' | 'paragraphs' | 'html';
  /** Of the text in one language. */
  schema: TSchema;
  values: Readonly<Partial<Record<Locale, unknown>>>;
}

type At = Pick<TextInLanguages, 'path' | 'labels'>;

export function textsIn(
  schema: TSchema,
  document: unknown,
  schemaOf: OpenSchema = () => undefined,
): TextInLanguages[] {
  const within = (node: SchemaNode, value: unknown, before: At): TextInLanguages[] => {
    if (typeof value !== 'object' || value === null) return [];
    const at = { ...before, labels: labelled(before, node) };
    if (node.inLanguages || node.inSomeLanguages) return [textAt(node, value, at)];
    const { anyOf = [], items, properties = {}, patternProperties = {} } = node;
    if (anyOf.length > 0) {
      const member = anyOf.find((each) => suits(each, value));
      return member ? within({ ...member, form: { ...node.form, ...member.form } }, value, before) : [];
    }
    const next = (name: string, labels = at.labels): At => ({ path: [...at.path, name], labels });
    if (Array.isArray(value)) {
      const names = entryNames(value);
      return value.flatMap((entry, index) => {
        const inner = items && isOpen(items) ? (schemaOf(entry) as SchemaNode | undefined) : items;
        return inner
          ? within(inner, entry, next(names?.[index] ?? String(index), numbered(at.labels, index + 1)))
          : [];
      });
    }
    return Object.entries(value).flatMap(([name, each]) => {
      const inner = properties[name] ?? Object.values(patternProperties)[0];
      return inner ? within(inner, each, next(name)) : [];
    });
  };
  return within(schema as SchemaNode, document, { path: [], labels: [] });
}

function textAt({ form, properties = {} }: SchemaNode, values: object, at: At): TextInLanguages {
  const text = Object.values(properties)[0];
  const isHtml = form?.control === 'richText' || text?.contentMediaType === 'text/html';
  return {
    ...at,
    form: text?.type === 'array' ? 'paragraphs' : isHtml ? 'html' : form?.long ? 'lines' : 'line',
    schema: text as TSchema,
    values,
  };
}

const labelled = ({ labels }: At, { form }: SchemaNode): readonly LabelPart[] =>
  form?.label && labels.at(-1)?.key !== form.label ? [...labels, { key: form.label, number: 0 }] : labels;

const numbered = (labels: readonly LabelPart[], number: number) =>
  labels.map((label, index) => (index === labels.length - 1 ? { ...label, number } : label));

const isOpen = ({ type, anyOf, properties }: SchemaNode) => !type && !anyOf && !properties;

/** Of a choice between kinds of entries, its own; of something or null, the something. */
function suits({ type, properties }: SchemaNode, value: object): boolean {
  const own = properties?.type?.const;
  if (type !== undefined && type !== (Array.isArray(value) ? 'array' : 'object')) return false;
  return own === undefined || own === (value as { type?: unknown }).type;
}

/** As it is typed, and as it stands in a file. Paragraphs have an empty line between them. */
export const printedText = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n\n') : typeof value === 'string' ? value : '';

/** Without what programs that hold a text may change: the ends of lines, and blanks around it. */
export const inOneForm = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** Undefined for none. */
export function writtenText(text: string, form: TextInLanguages['form']): unknown {
  if (text.trim() === '') return undefined;
  if (form !== 'paragraphs') return text;
  return text
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}

/** A path as one word that people can read: `options/0/name`. */
export const fieldOf = (path: readonly string[]): string =>
  path.map((name) => name.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');

export const pathOf = (field: string): string[] =>
  field.split('/').map((name) => name.replaceAll('%2F', '/').replaceAll('%25', '%'));
