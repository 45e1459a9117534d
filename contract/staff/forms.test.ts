/** The fields of forms are those of the schemas: a new one has a control and words, or a reason here. */
import { describe, expect, test } from 'vitest';
import * as blocks from '#blocks/definitions.ts';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { CouponInput } from '#contract/schemas/coupon.ts';
import { EmailDocument } from '#contract/schemas/email.ts';
import { LookDocument } from '#contract/schemas/look.ts';
import { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import { MoreSettingsDocument } from '#contract/schemas/more-settings.ts';
import { NavigationDocument } from '#contract/schemas/navigation.ts';
import { PageDocument } from '#contract/schemas/page.ts';
import { BlogDocument, PostDocument } from '#contract/schemas/post.ts';
import { RedirectDocument } from '#contract/schemas/redirect.ts';
import { StoreInput } from '#contract/schemas/store.ts';
import { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import { WebhookDocument } from '#contract/schemas/webhook.ts';
import { ProductInput } from '#server/modules/catalogue/products/product-input.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { leavesOf } from '#tests/schema-leaves.ts';
import { blockForms, type FormField, forms, partForms } from './forms.ts';
import { isStaffKey } from './messages.ts';

const documents: Readonly<Record<keyof typeof forms, unknown>> = {
  store: StoreInput,
  modifierGroup: ModifierGroupInput,
  category: CategoryInput,
  brand: BrandInput,
  tag: TagInput,
  coupon: CouponInput,
  product: ProductInput,
  page: PageDocument,
  post: PostDocument,
  blog: BlogDocument,
  redirect: RedirectDocument,
  webhook: WebhookDocument,
  settings: MoreSettingsDocument,
  navigation: NavigationDocument,
  look: LookDocument,
  email: EmailDocument,
};
const schemas: Readonly<Record<string, unknown>> = {
  ...documents,
  ...Object.fromEntries(Object.entries(blocks).map(([type, { stored }]) => [`block ${type}`, stored])),
  ...Object.fromEntries(StoredArticlePart.anyOf.map((part) => [`part ${part.properties.type.const}`, part])),
};
const allForms: Readonly<Record<string, readonly FormField[]>> = {
  ...forms,
  ...Object.fromEntries(Object.entries(blockForms).map(([type, fields]) => [`block ${type}`, fields])),
  ...Object.fromEntries(Object.entries(partForms).map(([type, fields]) => [`part ${type}`, fields])),
};

/** Fields that nobody edits in the form, and why. */
const reasons: Readonly<Record<string, RegExp>> = {
  'orders, stock, links and addresses refer to it for good': /^[\w ]+ (.*\.)?(id|skus\[\]\.sku)$/,
  'a block or part is of one kind for good': /^(block|part) \S+ type$/,
  'a post belongs to the blog that it was added to': /^post blogId$/,
  'the older form of the status': /^product published$/,
  'set when the product is added: the newest come first': /^product createdAt$/,
  'the combination for which the SKU was made; options are renamed with their SKUs':
    /^product skus\[\]\.options\./,
  'counted under Stock, where each change has a reason': /^product skus\[\]\.stock\./,
  'a detail of the brand, for which only the brand has words; files set it':
    /^product details\.(brew|tea|outline)\b/,
};

const namesOf = (fields: readonly FormField[], before = ''): string[] =>
  fields.flatMap(({ path, fields: inner }) => {
    const name = `${before}${path.join('.')}`;
    // The entries of a list of texts have no fields.
    return inner && inner[0]?.path.length !== 0 ? namesOf(inner, `${name}[].`) : [name];
  });

const wordsOf = ({ label, hint, section, add, none, options = [], fields = [] }: FormField): unknown[] => [
  label,
  hint ?? label,
  section,
  add ?? label,
  none ?? label,
  ...options.map((each) => each.label),
  ...fields.flatMap(wordsOf),
];

const kinds = Object.keys(allForms);
const leavesOfKind = (kind: string) => [
  ...new Set(leavesOf(schemas[kind] as SchemaNode, '').map(({ name }) => name.slice(1))),
];

describe.each(kinds)('the form of a %s', (kind) => {
  const form = allForms[kind] ?? [];
  const drawn = namesOf(form);
  const leaves = leavesOfKind(kind);
  const isDrawn = (leaf: string) =>
    drawn.some((name) => leaf === name || leaf.startsWith(`${name}.`) || leaf.startsWith(`${name}[]`));
  const hasReason = (leaf: string) => Object.values(reasons).some((reason) => reason.test(`${kind} ${leaf}`));

  test('each field of the schema has a control in the form, or a reason to have none', () => {
    expect(leaves.filter((leaf) => !isDrawn(leaf) && !hasReason(leaf))).toEqual([]);
    expect(leaves.filter((leaf) => isDrawn(leaf) && hasReason(leaf))).toEqual([]);
    const ofSchema = Object.keys((schemas[kind] as SchemaNode).properties ?? {});
    const isKnown = (name: string) =>
      ofSchema.includes(name) || leaves.some((leaf) => leaf === name || leaf.startsWith(name));
    expect(drawn.filter((name) => !isKnown(name))).toEqual([]);
  });

  test('the words of each field and of its values are messages, in every language', () => {
    expect(form.flatMap(wordsOf).filter((key) => !isStaffKey(String(key)))).toEqual([]);
  });
});

test('each reason for a field without a control is that of a field', () => {
  const leaves = kinds.flatMap((kind) => leavesOfKind(kind).map((leaf) => `${kind} ${leaf}`));
  expect(Object.entries(reasons).filter(([, reason]) => !leaves.some((leaf) => reason.test(leaf)))).toEqual(
    [],
  );
});
