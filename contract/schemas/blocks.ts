/**
 * Page blocks (SPEC §2, §3). One definition serves both forms of a block: as a merchant stores it,
 * with every text in all languages, and as a page carries it, in the language asked for and with
 * what it shows already loaded. `blockSchemas(text, image, products)` makes either.
 */
import Type, { type Static } from 'typebox';
import { collectionTypes, sortValues } from '../limits.ts';
import { ProductSummary } from './catalogue.ts';
import { Id, ImageInfo, LocalText, Nullable } from './common.ts';

/** SPEC §3: uiAttribute of a product-list block. */
export const ProductListAttribute = Type.Object({
  collectiontype: Type.Enum(collectionTypes),
  collectionname: Type.String(),
  number: Type.Integer({ minimum: 1, maximum: 48 }),
  numberPerRow: Type.Integer({ minimum: 1, maximum: 6, default: 4 }),
  numberPerMobileRow: Type.Integer({ minimum: 1, maximum: 3, default: 2 }),
  sortby: Type.Enum(sortValues),
});
export type ProductListAttribute = Static<typeof ProductListAttribute>;

function blockSchemas<T extends Type.TSchema, I extends Type.TSchema, L extends Type.TProperties>(text: T, image: I, loaded: L) {
  const base = { id: Type.String() };
  const titled = { ...base, title: Nullable(text) };
  const picture = { image, alt: text, title: text, text, link: Type.String(), linkLabel: text };
  return {
    imageSlider: Type.Object({ ...base, type: Type.Literal('imageSlider'), slides: Type.Array(Type.Object(picture)) }),
    imageInfo: Type.Object({ ...base, type: Type.Literal('imageInfo'), items: Type.Array(Type.Object(picture)) }),
    text: Type.Object({ ...titled, type: Type.Literal('text'), paragraphs: Type.Array(text), items: Type.Array(text) }),
    buttons: Type.Object({
      ...base,
      type: Type.Literal('buttons'),
      buttons: Type.Array(Type.Object({ label: text, link: Type.String(), style: Type.Enum(['primary', 'secondary']) })),
    }),
    productList: Type.Object({ ...titled, type: Type.Literal('productList'), uiAttribute: ProductListAttribute, ...loaded }),
  };
}

const stored = blockSchemas(LocalText, Type.String(), {});
const shown = blockSchemas(Type.String(), ImageInfo, { products: Type.Array(ProductSummary) });

/** The schema of each block as stored, by its type, so that a bad block can be named at import. */
export const storedBlocks = stored;
export const StoredBlock = Type.Union([stored.imageSlider, stored.imageInfo, stored.text, stored.buttons, stored.productList]);
export type StoredBlock = Static<typeof StoredBlock>;

export const Block = Type.Union([shown.imageSlider, shown.imageInfo, shown.text, shown.buttons, shown.productList]);
export type Block = Static<typeof Block>;
export type BlockType = Block['type'];
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>;

export const PageContent = Type.Object({
  name: Id,
  title: Type.String(),
  metaDescription: Type.String(),
  blocks: Type.Array(Block),
});
export type PageContent = Static<typeof PageContent>;
