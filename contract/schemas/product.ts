/** A product, as merchants write it in files and in the office. */
import Type, { type Static } from 'typebox';
import { goodsStatuses } from '../limits.ts';
import type { StaffMessageKey } from '../staff/messages.ts';
import { taxClasses } from '../taxes.ts';
import {
  Cents,
  described,
  EpochMs,
  Id,
  inLanguages,
  LocalName,
  LocalText as LocalTextSchema,
  Nullable,
  Sku,
} from './common.ts';
import { ProductModifierGroup } from './modifier-input.ts';

/** Of one product. */
export const mostSkus = 2048;

/** Names and values become part of option pairs, so they must not contain their separators. */
const optionName = inLanguages(
  Type.String({ pattern: '^(?!\\s)[^#:]{1,255}(?<!\\s)$', problem: 'problem.option.name' }),
);
const valueName = inLanguages(
  Type.String({ pattern: '^(?!\\s)[^#]{1,255}(?<!\\s)$', problem: 'problem.option.valueName' }),
);

export const StoredOptions = Type.Array(
  Type.Object({
    name: described('The name of the option, such as Colour.', optionName, { label: 'office.goods.option' }),
    values: described(
      'The values to choose from, such as Sand and Ink.',
      Type.Array(
        Type.Object({
          name: described('The name of the value.', valueName, { label: 'office.goods.value' }),
          priceDeltaCents: described('Added to the price of the product, in cents.', Cents, {
            label: 'office.goods.extraCost',
          }),
          overridePriceCents: described(
            'Replaces the price of the product, in cents; null to keep it.',
            Nullable(Cents),
            {
              label: 'office.goods.overridePrice',
            },
          ),
          skuSuffix: described(
            'The part of the SKU that stands for the value.',
            Type.String({ maxLength: 40 }),
            {
              label: 'office.goods.skuSuffix',
            },
          ),
          color: described(
            'The colour of the swatch, such as `#d9c7a3`; null for none.',
            Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', problem: 'problem.colour' })),
            { label: 'office.goods.colour', control: 'text' },
          ),
          image: described(
            'The file name of the image that shows the value; null for none.',
            Nullable(Type.String()),
            {
              label: 'office.goods.picture',
            },
          ),
        }),
        { minItems: 1, maxItems: mostSkus },
      ),
      { label: 'office.goods.values' },
    ),
  }),
  { maxItems: 4 },
);
export type StoredOptions = Static<typeof StoredOptions>;
export type StoredOption = StoredOptions[number];

const dimension = (description: string, label: StaffMessageKey) =>
  Type.Optional(described(description, Nullable(Type.Number()), { label }));

export const ProductDetails = Type.Object({
  materials: Type.Optional(
    described('Materials or ingredients.', LocalTextSchema, {
      label: 'office.goods.materials',
      section: 'office.goods.facts',
    }),
  ),
  keyFact: Type.Optional(
    described(
      'The one fact that cards of lists show, such as `Set of 4 · 45 ml`. Left out, it is an amount among the options, the capacity, or the height.',
      LocalTextSchema,
      { label: 'office.goods.keyFact', hint: 'office.goods.keyFactHint', section: 'office.goods.facts' },
    ),
  ),
  care: Type.Optional(
    described('How to care for the product.', LocalTextSchema, {
      label: 'office.goods.care',
      long: true,
      section: 'office.goods.facts',
    }),
  ),
  dimensions: Type.Optional(
    described(
      'Measurements. Those left out are not shown.',
      Type.Object({
        lengthCm: dimension('Length in centimetres.', 'office.goods.length'),
        widthCm: dimension('Width in centimetres.', 'office.goods.width'),
        heightCm: dimension('Height in centimetres.', 'office.goods.height'),
        diameterCm: dimension('Diameter in centimetres.', 'office.goods.diameter'),
        capacityMl: dimension('Capacity in millilitres.', 'office.goods.capacity'),
      }),
      { section: 'office.goods.facts' },
    ),
  ),
  scene: Type.Optional(
    described(
      'The file name of the image, among `images`, that shows the product in use: the product page shows it large. null for none.',
      Nullable(Type.String()),
      {
        label: 'office.goods.scene',
        hint: 'office.goods.sceneHint',
        control: 'own',
        section: 'office.goods.pictures',
      },
    ),
  ),
  imageTexts: Type.Optional(
    described(
      'What an image shows, by its file name, for people who cannot see it. An image without a text takes the name of the product, and its colour.',
      Type.Record(Type.String(), LocalTextSchema),
      { label: 'office.goods.alt', control: 'own', section: 'office.goods.pictures' },
    ),
  ),
});
export type ProductDetails = Static<typeof ProductDetails>;

const LocalParagraphs = inLanguages(Type.Array(Type.String()));
export type LocalParagraphs = Static<typeof LocalParagraphs>;

export type Status = (typeof goodsStatuses)[number];

const units = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

/** Without the details that a brand adds (docs/how-to/brand.md). */
export const ProductFields = Type.Object({
  id: described('Identifies the product, and is the end of its address: `/product/river-mug`.', Id),
  status: Type.Optional(
    described(
      'An `active` product is for sale; a `draft` is not yet, and one that is `archived` is no longer, and stays in old orders. Left out, it is active.',
      Type.Enum(goodsStatuses),
      {
        label: 'office.goods.status',
        values: 'office.goods.is',
        usual: 'active',
        section: 'office.goods.selling',
      },
    ),
  ),
  published: Type.Optional(
    described(
      'The older form of `status`, which it yields to: true is `active`, false is `draft`.',
      Type.Boolean(),
    ),
  ),
  publishAt: Type.Optional(
    described('When an active product goes on sale, epoch ms; null: at once.', Nullable(EpochMs), {
      label: 'office.goods.publishAt',
      section: 'office.goods.selling',
    }),
  ),
  unpublishAt: Type.Optional(
    described('When an active product is taken off sale, epoch ms; null: it stays.', Nullable(EpochMs), {
      label: 'office.goods.unpublishAt',
      section: 'office.goods.selling',
    }),
  ),
  name: described('The name of the product.', LocalName, {
    label: 'office.goods.name',
    section: 'office.goods.texts',
  }),
  shortDescription: described('A sentence for lists and search engines.', LocalTextSchema, {
    label: 'office.goods.short',
    long: true,
    section: 'office.goods.texts',
  }),
  description: described('The paragraphs of the product page.', LocalParagraphs, {
    label: 'office.goods.description',
    control: 'own',
    section: 'office.goods.texts',
  }),
  descriptionHtml: Type.Optional(
    described(
      'A formatted description in HTML, which the product page shows in place of the paragraphs. What is not safe is left out; `<img src>` is the file name of an image of the shop.',
      inLanguages(Type.String({ maxLength: 100_000, contentMediaType: 'text/html' })),
      { label: 'office.goods.formatted', control: 'own', section: 'office.goods.texts' },
    ),
  ),
  seoTitle: Type.Optional(
    described(
      'The whole title in search engines, in place of the name of the product and that of the shop.',
      inLanguages(Type.String({ maxLength: 300 })),
      { label: 'office.goods.seoTitle', section: 'office.goods.seo' },
    ),
  ),
  seoDescription: Type.Optional(
    described(
      'The description in search engines, in place of the short description.',
      inLanguages(Type.String({ maxLength: 1000 })),
      { label: 'office.goods.seoDescription', long: true, section: 'office.goods.seo' },
    ),
  ),
  brand: described('The id of a brand.', Id, {
    label: 'office.goods.brand',
    control: 'named',
    section: 'office.goods.found',
  }),
  category: described('The id of a category. The product is in the parents of the category as well.', Id, {
    label: 'office.goods.category',
    control: 'named',
    section: 'office.goods.found',
  }),
  tags: described('The ids of tags.', Type.Array(Id, { maxItems: 50 }), {
    label: 'office.goods.tags',
    control: 'own',
    section: 'office.goods.found',
  }),
  priceCents: described(
    'The price in cents, before tax. With 0 the product is not for sale: a SKU that is given away has the price 0 of its own.',
    Cents,
    { label: 'office.goods.price', section: 'office.goods.selling' },
  ),
  compareAtCents: described(
    'The price before a reduction, in cents: the product is on sale if it is higher than the price. null for none.',
    Nullable(Cents),
    { label: 'office.goods.compareAt', hint: 'office.goods.compareAtHint', section: 'office.goods.selling' },
  ),
  clearance: described('Whether the product is on clearance.', Type.Boolean(), {
    label: 'office.goods.clearance',
    section: 'office.goods.selling',
  }),
  newArrival: described('Whether the product is among the new arrivals.', Type.Boolean(), {
    label: 'office.goods.newArrival',
    section: 'office.goods.selling',
  }),
  inStoreOnly: described('Whether the product is sold in stores only, and never shipped.', Type.Boolean(), {
    label: 'office.goods.inStoreOnly',
    section: 'office.goods.selling',
  }),
  taxClass: described(
    'The tax class: `standard`, `zero-rated-grocery` (no tax), `prepared-food` (with the rebate of Ontario), or a class of food, whose tax follows the rules of the country: `docs/how-to/tax-on-food.md`.',
    Type.Enum<string[]>([...taxClasses]),
    { label: 'office.goods.taxClass', values: 'office.money.class', section: 'office.goods.selling' },
  ),
  weightGrams: described(
    'The weight in grams, for the specifications; null if it is not shown.',
    Nullable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    { label: 'office.goods.weight', section: 'office.goods.selling' },
  ),
  details: described('Further specifications.', ProductDetails),
  options: described('The options to choose from, such as colour and size.', StoredOptions, {
    label: 'office.goods.options',
    control: 'own',
    section: 'office.goods.options',
  }),
  images: described(
    'File names of images. The first is the leading image.',
    Type.Array(Type.String(), { maxItems: 50 }),
    {
      label: 'office.goods.pictures',
      control: 'own',
      section: 'office.goods.pictures',
    },
  ),
  modifierGroups: Type.Optional(
    described(
      'The modifier groups to choose from when the product is ordered, in this order.',
      Type.Array(ProductModifierGroup, { maxItems: 20 }),
      {
        label: 'office.goods.groups',
        hint: 'office.goods.groupsHint',
        control: 'own',
        section: 'office.goods.groups',
      },
    ),
  ),
  related: described(
    'The ids of related products, which may be imported later. If there are none, the shop selects some.',
    Type.Array(Id, { maxItems: 50 }),
    {
      label: 'office.goods.related',
      hint: 'office.goods.relatedHint',
      control: 'products',
      section: 'office.goods.found',
    },
  ),
  createdAt: described('When the product was created, epoch ms. The newest come first in lists.', EpochMs),
  skus: described(
    'What can be bought: a SKU for each combination of option values that exists, or one in all; at most 2,048.',
    Type.Array(
      Type.Object({
        sku: described('Identifies the SKU. It is unique in the shop.', Sku),
        options: described(
          'The value of each option, by the names in the default language: `{ "Colour": "Sand" }`.',
          Type.Record(Type.String(), Type.String()),
        ),
        gtin: Type.Optional(
          described(
            'The GTIN that its bar code (EAN or UPC) carries, with the check digit, for search engines and product feeds. Left out, it has none.',
            Type.String(),
            { label: 'office.goods.sku.gtin' },
          ),
        ),
        priceCents: Type.Optional(
          described(
            'Its own price, in cents before tax, in place of what the product and its options make.',
            Cents,
            {
              label: 'office.goods.sku.priceCents',
            },
          ),
        ),
        compareAtCents: Type.Optional(
          described(
            'Its own price before a reduction, in cents; null for none. Left out, its price is reduced by as much as that of the product.',
            Nullable(Cents),
            { label: 'office.goods.sku.compareAtCents' },
          ),
        ),
        costCents: Type.Optional(
          described('What a unit costs the merchant, in cents. No customer sees it.', Cents, {
            label: 'office.goods.sku.costCents',
          }),
        ),
        weightGrams: Type.Optional(
          described(
            'The weight of a unit in grams, where it is not that of the product.',
            Type.Integer({ minimum: 0, maximum: 10_000_000 }),
            { label: 'office.goods.sku.weightGrams' },
          ),
        ),
        image: Type.Optional(
          described(
            'The file name of the image that shows it, in place of that of its options; null for none.',
            Nullable(Type.String()),
            { label: 'office.goods.sku.image' },
          ),
        ),
        counted: Type.Optional(
          described(
            'Whether its stock is counted; one that is not never runs out. Left out, it is.',
            Type.Boolean(),
            {
              label: 'office.goods.sku.counted',
            },
          ),
        ),
        oversell: Type.Optional(
          described(
            'Whether it is sold beyond stock: it can be ordered when nothing is left, and ships later. Left out, it is not.',
            Type.Boolean(),
            { label: 'office.goods.sku.oversell' },
          ),
        ),
        singleServings: Type.Optional(
          described(
            'How many single servings of food a unit holds, for its tax: 6 for a box of six muffins, 2 or more for a bottle of 600 ml or a pack of cans. Left out, 1.',
            Type.Integer({ minimum: 1, maximum: 1000 }),
            { label: 'office.goods.sku.singleServings' },
          ),
        ),
        stock: described(
          'Units by location, `warehouse` or the id of a store. Applied only if the SKU has no stock there yet.',
          Type.Record(Id, units),
        ),
      }),
      { minItems: 1, maxItems: mostSkus },
    ),
    { label: 'office.goods.skus', control: 'own', section: 'office.goods.skus' },
  ),
});
export type ProductFields = Static<typeof ProductFields>;
