/**
 * The fields of forms, by the kind of document: made from the schemas, so that a field stands once. In the browser build,
 * `web/build-plugins.ts` replaces this file with plain tables.
 */
import * as blocks from '#blocks/definitions.ts';
import type { BlockType } from '../schemas/blocks.ts';
import { type ArticlePart, StoredArticlePart } from '../schemas/blog.ts';
import type { FieldForm } from '../schemas/common.ts';
import { CouponInput } from '../schemas/coupon.ts';
import { EmailDocument } from '../schemas/email.ts';
import { LookDocument } from '../schemas/look.ts';
import { ModifierGroupInput } from '../schemas/modifier-input.ts';
import { MoreSettingsDocument } from '../schemas/more-settings.ts';
import { NavigationDocument } from '../schemas/navigation.ts';
import { PageDocument } from '../schemas/page.ts';
import { BlogDocument, PostDocument } from '../schemas/post.ts';
import { ProductFields } from '../schemas/product.ts';
import { RedirectDocument } from '../schemas/redirect.ts';
import { StoreInput } from '../schemas/store.ts';
import { BrandInput, CategoryInput, TagInput } from '../schemas/taxonomy.ts';
import { WebhookDocument } from '../schemas/webhook.ts';
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
  | 'named'
  | 'namedList'
  | 'products'
  | 'time'
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
  /** Of a choice; `usual` is meant where it is left out, `none` by null, also of what is `named`. */
  options?: readonly { value: string; label: StaffMessageKey }[];
  usual?: string;
  none?: StaffMessageKey;
  /** Of a new entry. */
  initial?: string | number;
  /** Adds an entry to a list. */
  add?: StaffMessageKey;
  /** Of the entries of a list, also of one that the room draws. */
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

function controlOf(
  { type, unit, inLanguages, items, enum: choices }: FormNode,
  { control }: FieldForm,
): Control | null {
  if (control) return control === 'named' && type === 'array' ? 'namedList' : control;
  if (inLanguages) return 'texts';
  if (choices) return 'choice';
  if (unit === 'cents') return 'money';
  if (unit === 'epochMs') return 'time';
  if (type === 'array') return !items?.properties ? 'list' : items.properties.id ? 'entries' : 'rows';
  return type === 'boolean'
    ? 'check'
    : type === 'integer' || type === 'number'
      ? 'number'
      : type === 'object'
        ? null
        : 'text';
}

/** The fields of an object that have words of their own, those of objects within it among them; `section` has what names none. */
export function formOf(node: FormNode, section: StaffMessageKey, path: readonly string[] = []): FormField[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, whole]) => {
    const isNull = (each: FormNode) => each.type === 'null';
    const part = whole.anyOf?.find((each) => !isNull(each)) ?? whole;
    const form = { ...part.form, ...whole.form };
    const at = [...path, name];
    const inside = form.section ?? section;
    const control = controlOf(part, form);
    if (control === null) return formOf(part, inside, at);
    const { label, usual, none } = form;
    if (!label) return [];
    const fields = lists.includes(control) ? fieldsOf(part.items ?? {}, label, inside) : [];
    const initial = form.initial ?? numberOf(part.default) ?? part.minimum;
    return {
      path: at,
      control,
      label,
      section: inside,
      ...(form.hint && { hint: form.hint }),
      ...(form.add && { add: form.add }),
      ...(form.long && { long: true as const }),
      ...(whole.anyOf?.some(isNull) && { nullable: true as const }),
      ...(node.required && !node.required.includes(name) && { optional: true as const }),
      ...(control === 'choice' && { options: choicesOf(part, form.values ?? label) }),
      ...(usual && { usual }),
      ...(none && { none }),
      ...(initial !== undefined && { initial }),
      ...((control !== 'own' || fields.length > 0) && lists.includes(control) && { fields }),
    };
  });
}

const lists: readonly Control[] = ['entries', 'rows', 'own'];

/** A test finds the message of each value. */
const choicesOf = (part: FormNode, words: string) =>
  (part.enum ?? []).map((value) => ({ value, label: `${words}.${value}` as StaffMessageKey }));
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Of the entries of a list; of texts, the text itself. */
function fieldsOf(items: FormNode, label: StaffMessageKey, section: StaffMessageKey): FormField[] {
  return items.inLanguages
    ? [{ path: [], control: 'texts', label, section, long: true }]
    : formOf(items, section);
}

/** The sections in this order, then the others. */
function inSections(fields: readonly FormField[], sections: readonly StaffMessageKey[]): FormField[] {
  const place = ({ section }: FormField) =>
    sections.includes(section) ? sections.indexOf(section) : sections.length;
  return fields.toSorted((a, b) => place(a) - place(b));
}

export const forms = {
  store: formOf(StoreInput as unknown as FormNode, 'office.store.seen'),
  modifierGroup: formOf(ModifierGroupInput as unknown as FormNode, 'office.group.asks'),
  category: inSections(formOf(CategoryInput as unknown as FormNode, 'office.store.seen'), [
    'office.store.seen',
  ]),
  brand: formOf(BrandInput as unknown as FormNode, 'office.store.seen'),
  tag: formOf(TagInput as unknown as FormNode, 'office.store.seen'),
  coupon: formOf(CouponInput as unknown as FormNode, 'office.coupon.gives'),
  product: inSections(formOf(ProductFields as unknown as FormNode, 'office.goods.facts'), [
    'office.goods.texts',
    'office.goods.pictures',
    'office.goods.selling',
    'office.goods.found',
    'office.goods.facts',
    'office.goods.groups',
    'office.goods.seo',
    'office.goods.options',
    'office.goods.skus',
  ]),
  page: formOf(PageDocument as unknown as FormNode, 'office.page.head'),
  post: inSections(formOf(PostDocument as unknown as FormNode, 'office.post.head'), [
    'office.post.head',
    'office.post.parts',
  ]),
  blog: formOf(BlogDocument as unknown as FormNode, 'office.store.seen'),
  redirect: formOf(RedirectDocument as unknown as FormNode, 'office.redirect.leadsTo'),
  webhook: formOf(WebhookDocument as unknown as FormNode, 'office.webhook.receives'),
  settings: formOf(MoreSettingsDocument as unknown as FormNode, 'office.settings.opening'),
  look: formOf(LookDocument as unknown as FormNode, 'office.look.colours'),
  email: formOf(EmailDocument as unknown as FormNode, 'office.words.texts'),
  navigation: formOf(NavigationDocument as unknown as FormNode, 'office.navigation.links'),
};

/** Of the blocks of pages, by their types. */
export const blockForms = Object.fromEntries(
  Object.entries(blocks).map(([type, { stored }]) => [
    type,
    formOf(stored as unknown as FormNode, 'office.page.blocks'),
  ]),
) as unknown as Readonly<Record<BlockType, readonly FormField[]>>;

/** Of the parts of posts, by their types. */
export const partForms = Object.fromEntries(
  (
    StoredArticlePart.anyOf as unknown as readonly (FormNode & { properties: { type: { const: string } } })[]
  ).map((part) => [part.properties.type.const, formOf(part, 'office.post.parts')]),
) as unknown as Readonly<Record<ArticlePart['type'], readonly FormField[]>>;
