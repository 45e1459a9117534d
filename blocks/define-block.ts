/** Defines the interface of a page block. Each block is a folder beside this file (docs/how-to/add-a-page-block.md). */
import Type, { type Static, type TSchema } from 'typebox';
import type { SortValue } from '#contract/limits.ts';
import type { Locale, LocalText as LocalTextValue } from '#contract/locales.ts';
import type { Problem } from '#contract/problems.ts';
import type { JudgedField } from '#contract/rules/form.ts';
import type { MenuSection } from '#contract/rules/menu-sections.ts';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { described, ImageInfo, LocalText, linkPattern, type ValueOf } from '#contract/schemas/common.ts';
import type { Feed, SocialPhoto } from '#contract/schemas/feeds.ts';
import type { OpenStore, PickupLocation } from '#contract/schemas/shop.ts';

export interface BlockDefinition<in out Stored extends TSchema, in out Shown extends TSchema, in out Loaded> {
  /** The stored form, as the merchant writes it: texts in all languages, images by file name. */
  readonly stored: Stored;
  /** The shown form: in one language, images with their sizes, and everything it lists loaded. */
  readonly shown: Shown;
  /** Checks what the schema cannot. */
  validate?(block: ValueOf<Stored>): Problem[];
  /** Returns the block with its rich text sanitised. Called before the block is stored, and again when it is read. */
  sanitize?(block: ValueOf<Stored>, richText: RichText): ValueOf<Stored>;
  /** The brands, categories and tags that the block lists products of. A page that names an unknown one is rejected. */
  collections?(block: ValueOf<Stored>): CollectionReference[];
  pictures?(block: ValueOf<Stored>, richText: RichText): string[];
  /** The ids of the products that it names, for the form that shows their names. */
  products?(block: ValueOf<Stored>): string[];
  publish?(block: ValueOf<Stored>): PublishedFacts;
  load?(blocks: readonly ValueOf<Stored>[], sources: BlockSources): Promise<Loaded>;
  /** Builds the shown form. Null leaves the block out because nothing of it is left to show. */
  present(block: ValueOf<Stored>, page: BlockContext, loaded: Loaded): ValueOf<Shown> | null;
}

export function defineBlock<Stored extends TSchema, Shown extends TSchema, Loaded = undefined>(
  definition: BlockDefinition<Stored, Shown, Loaded>,
): BlockDefinition<Stored, Shown, Loaded> {
  return definition;
}

/** The page that shows the blocks. Pages are cached for all visitors, so it has no session. */
export interface BlockContext {
  locale: Locale;
  /** The text in the page's language, or in the default language if it is not translated. */
  text(text: LocalTextValue): string;
  optionalText(text: LocalTextValue | null): string | null;
  /** An image named by `pictures`. Undefined if the file no longer exists. */
  image(file: string): ImageInfo | undefined;
  /** Whether the shop is dark on devices that are. */
  hasNight: boolean;
  /** Sanitised rich text for display, with its links in the page's language. */
  richText(html: string): string;
}

interface CollectionReference {
  /** The field that names it, such as '/uiAttribute/collectionname'. */
  path: string;
  kind: CollectionKind;
  id: string;
}

export type CollectionKind = 'brand' | 'category' | 'tag';

export interface RichText {
  sanitize(html: string): string;
  /** File names of the images in sanitised rich text. */
  pictures(html: string): string[];
}

export interface ProductFilter {
  newArrival?: true;
  clearance?: true;
  tagName?: string;
  brandName?: string;
  categoryName?: string;
}

/** The data that blocks can load. No call waits for another site; a collection that no longer exists is empty. */
export interface BlockSources {
  products(
    filter: ProductFilter,
    list: { sortby: SortValue; numberToLoad: number },
  ): Promise<ProductSummary[]>;
  posts(collection: {
    collectionType: string;
    collectionName: string;
    quantity: number;
  }): Promise<BlogPostSummary[]>;
  /** Published products by their ids. Others are missing. */
  cards(ids: readonly string[]): Promise<ReadonlyMap<string, ProductSummary>>;
  /** The sections of a category as a menu. */
  menu(category: string): Promise<MenuSection[]>;
  stores(): Promise<OpenStore[]>;
  /** The stores that customers see, with the hours of their weeks. */
  locations(): Promise<PickupLocation[]>;
  /** Feeds as last read, by URL. A feed that has never been read is missing. */
  feeds(urls: readonly string[]): Promise<ReadonlyMap<string, Feed>>;
  /** The shop's latest photos, newest first. */
  photos(count: number): Promise<readonly SocialPhoto[]>;
  videoAddress(file: string): Promise<string | null>;
}

export interface PublishedFacts {
  feeds?: readonly string[];
  framedSites?: readonly string[];
  form?: PublishedForm;
}

export interface PublishedForm {
  uiFormName: string;
  uiMailTo: string;
  fields: readonly JudgedField[];
}

/** Rich text in each language that it is written in, as it may be stored. */
export function sanitizedTexts<T extends LocalTextValue>(html: T, richText: RichText): T {
  return Object.fromEntries(
    Object.entries(html).map(([locale, text]) => [locale, richText.sanitize(text)]),
  ) as T;
}

export const storedForm = {
  text: LocalText,
  image: described('The file name of the image.', Type.String(), {
    label: 'office.block.picture',
    control: 'picture',
  }),
};
export const shownForm = { text: Type.String(), image: ImageInfo };
export interface BlockForm<Text extends TSchema, Image extends TSchema> {
  text: Text;
  image: Image;
}

/** The field that every block has. Ids are unique on a page. */
export const blockId = {
  id: described('Identifies the block on its page.', Type.String({ minLength: 1, maxLength: 100 })),
};

/** A link that a merchant wrote, or none. */
export const LinkTarget = Type.String({
  pattern: `^$|${linkPattern}`,
  problem: 'problem.link',
});

export async function loadEach<Block, Item>(
  blocks: readonly Block[],
  load: (block: Block, index: number) => Promise<Item[]>,
): Promise<ReadonlyMap<Block, Item[]>> {
  return new Map(
    await Promise.all(blocks.map(async (block, index) => [block, await load(block, index)] as const)),
  );
}

export const pictureItem = <T extends TSchema, I extends TSchema>({ text, image }: BlockForm<T, I>) =>
  Type.Object({
    image,
    alt: described('What the image shows, for people who do not see it.', text, {
      label: 'office.block.alt',
      hint: 'office.block.altHint',
    }),
    title: described('The heading.', text, { label: 'office.block.title' }),
    text: described('The text under the heading.', text, { label: 'office.block.text.label', long: true }),
    link: described('Where the link leads; empty for no link.', LinkTarget, {
      label: 'office.block.link',
      control: 'link',
    }),
    linkLabel: described('The text of the link.', text, { label: 'office.block.linkLabel' }),
  });

const storedItem = pictureItem(storedForm);
const shownItem = pictureItem(shownForm);
type StoredItem = Static<typeof storedItem>;

/** The items in the page's language. Items whose image no longer exists are left out. */
export function presentPictureItems(
  items: readonly StoredItem[],
  { text, image }: BlockContext,
): Static<typeof shownItem>[] {
  return items.flatMap((item) => {
    const info = image(item.image);
    if (!info) return [];
    const { alt, title, text: words, link, linkLabel } = item;
    return [
      {
        image: info,
        alt: text(alt),
        title: text(title),
        text: text(words),
        link,
        linkLabel: text(linkLabel),
      },
    ];
  });
}
