/**
 * Page blocks (SPEC §2, §3). One definition serves both forms of a block: as a merchant stores it,
 * with every text in all languages, and as a page carries it, in the language asked for and with
 * what it shows already loaded. `blockSchemas(text, image, loaded)` makes either.
 */
import Type, { type Static } from 'typebox';
import { blogCollectionTypes, collectionTypes, formFieldTypes, limits, sortValues, videoProviders } from '../limits.ts';
import { BlogPostSummary } from './blog.ts';
import { ProductSummary } from './catalogue.ts';
import { Id, ImageInfo, LocalText, Nullable } from './common.ts';
import { FeedEntry, SocialPhoto } from './feeds.ts';

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

/** SPEC §3: which posts a blog block shows. `collectionName` says nothing where the type is 'all'. */
export const BlogAttribute = Type.Object({
  collectionType: Type.Enum(blogCollectionTypes),
  collectionName: Type.String({ maxLength: 100 }),
  quantity: Type.Integer({ minimum: 1, maximum: 12 }),
});
export type BlogAttribute = Static<typeof BlogAttribute>;

/**
 * SPEC §3: a field of a form. Its label is `nameContent` in all languages, in both forms of the block;
 * `content` is what stands in it at first; `options` are the choices of a 'select'.
 */
function formField<T extends Type.TSchema>(text: T) {
  return Type.Object({
    name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,49}$' }),
    nameContent: LocalText,
    isRequired: Type.Boolean(),
    fieldType: Type.Enum(formFieldTypes),
    options: Type.Array(text),
    content: Type.String(),
  });
}

/** An address a merchant wrote: a page of the shop, a web page, mail or telephone. Never a script. */
const LinkTarget = Type.String({ pattern: '^$|^/(?!/)|^#|^[Hh][Tt][Tt][Pp][Ss]?://|^mailto:|^tel:' });

type Props = Type.TProperties;

/** What a block carries besides what is stored, once a page shows it. */
interface Loaded<P extends Props, B extends Props, R extends Props, S extends Props> {
  productList: P;
  blog: B;
  rssFeed: R;
  instagramFeed: S;
}

function blockSchemas<
  T extends Type.TSchema,
  I extends Type.TSchema,
  P extends Props,
  B extends Props,
  R extends Props,
  S extends Props,
>(text: T, image: I, loaded: Loaded<P, B, R, S>) {
  const base = { id: Type.String({ minLength: 1, maxLength: 100 }) };
  const titled = { ...base, title: Nullable(text) };
  const picture = { image, alt: text, title: text, text, link: LinkTarget, linkLabel: text };
  return {
    imageSlider: Type.Object({ ...base, type: Type.Literal('imageSlider'), slides: Type.Array(Type.Object(picture)) }),
    imageInfo: Type.Object({ ...base, type: Type.Literal('imageInfo'), items: Type.Array(Type.Object(picture)) }),
    text: Type.Object({
      ...titled,
      type: Type.Literal('text'),
      paragraphs: Type.Array(text),
      items: Type.Array(text),
      /** Rich text, after the paragraphs and items. What is not harmless is taken out of it by the server. */
      html: Type.Optional(text),
    }),
    buttons: Type.Object({
      ...base,
      type: Type.Literal('buttons'),
      buttons: Type.Array(Type.Object({ label: text, link: LinkTarget, style: Type.Enum(['primary', 'secondary']) })),
    }),
    productList: Type.Object({
      ...titled,
      type: Type.Literal('productList'),
      uiAttribute: ProductListAttribute,
      ...loaded.productList,
    }),
    form: Type.Object({
      ...titled,
      type: Type.Literal('form'),
      uiFormName: Id,
      uiMailTo: Type.String({ pattern: '^[^\\s@<>",;:]+@[^\\s@<>",;:]+$', maxLength: 254 }),
      fields: Type.Array(formField(text), { minItems: 1, maxItems: limits.formFields }),
      submitLabel: text,
      submittedMessage: text,
    }),
    video: Type.Object({
      ...titled,
      type: Type.Literal('video'),
      provider: Type.Enum(videoProviders),
      /** A provider's id of the film. Of our own: as stored the file's name, as shown its address. */
      src: Type.String({ pattern: '^[A-Za-z0-9_/-][A-Za-z0-9._/-]{0,199}$' }),
      poster: Nullable(image),
      caption: text,
      /** Subtitles of our own films (WebVTT). `src` as above. */
      captions: Type.Array(
        Type.Object({ language: Type.String({ pattern: '^[A-Za-z-]{2,35}$' }), label: Type.String(), src: Type.String() }),
      ),
    }),
    rssFeed: Type.Object({
      ...titled,
      type: Type.Literal('rssFeed'),
      uiRssFeed: Type.Object({
        /** Of a page on the web, or a path of the shop's own. */
        url: Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://|^/(?!/)', maxLength: limits.feedUrlLength }),
        count: Type.Integer({ minimum: 1, maximum: limits.feedEntries }),
      }),
      ...loaded.rssFeed,
    }),
    instagramFeed: Type.Object({
      ...titled,
      type: Type.Literal('instagramFeed'),
      uiInstagramFeed: Type.Object({
        count: Type.Integer({ minimum: 1, maximum: limits.socialPhotos }),
        numberPerRow: Type.Integer({ minimum: 1, maximum: 6, default: 4 }),
      }),
      ...loaded.instagramFeed,
    }),
    blog: Type.Object({ ...titled, type: Type.Literal('blog'), blog: BlogAttribute, ...loaded.blog }),
  };
}

const stored = blockSchemas(LocalText, Type.String(), { productList: {}, blog: {}, rssFeed: {}, instagramFeed: {} });
const shown = blockSchemas(Type.String(), ImageInfo, {
  productList: { products: Type.Array(ProductSummary) },
  blog: { posts: Type.Array(BlogPostSummary) },
  /** Null: never read so far; `readFeed` tells what becomes of it. */
  rssFeed: { entries: Nullable(Type.Array(FeedEntry)) },
  instagramFeed: { photos: Type.Array(SocialPhoto) },
});

/** The schema of each block as stored, by its type, so that a bad block can be named at import. */
export const storedBlocks = stored;
export const StoredBlock = Type.Union([
  stored.imageSlider,
  stored.imageInfo,
  stored.text,
  stored.buttons,
  stored.productList,
  stored.form,
  stored.video,
  stored.rssFeed,
  stored.instagramFeed,
  stored.blog,
]);
export type StoredBlock = Static<typeof StoredBlock>;
export type StoredBlockOf<T extends BlockType> = Extract<StoredBlock, { type: T }>;

export const Block = Type.Union([
  shown.imageSlider,
  shown.imageInfo,
  shown.text,
  shown.buttons,
  shown.productList,
  shown.form,
  shown.video,
  shown.rssFeed,
  shown.instagramFeed,
  shown.blog,
]);
export type Block = Static<typeof Block>;
export type BlockType = Block['type'];
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>;
export type FormField = BlockOf<'form'>['fields'][number];

export const PageContent = Type.Object({
  name: Id,
  title: Type.String(),
  metaDescription: Type.String(),
  blocks: Type.Array(Block),
});
export type PageContent = Static<typeof PageContent>;
