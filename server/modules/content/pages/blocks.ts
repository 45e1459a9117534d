/** Page blocks on the way out: in a language, and with all they show. */
import type { Locale, LocalText } from '#contract/locales.ts';
import type { Block, ProductListAttribute, StoredBlock, StoredBlockOf } from '#contract/schemas/blocks.ts';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { FeedEntry, SocialPhoto } from '#contract/schemas/feeds.ts';
import type { ListFilter } from '#server/modules/catalogue/index.ts';
import { picturesInHtml, shownHtml } from './rich-text.ts';

/** File names of all pictures that the blocks show. */
export function picturesOf(blocks: readonly StoredBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'imageSlider') return block.slides.map((slide) => slide.image);
    if (block.type === 'text') return Object.values(block.html ?? {}).flatMap(picturesInHtml);
    if (block.type === 'video') return block.poster === null ? [] : [block.poster];
    return block.type === 'imageInfo' ? block.items.map((item) => item.image) : [];
  });
}

/** What a product list is narrowed to (SPEC §3, §9: collection types). */
export function collectionFilter({ collectiontype, collectionname }: ProductListAttribute): ListFilter {
  if (collectiontype === 'newArrival') return { newArrival: true };
  if (collectiontype === 'clearance') return { clearance: true };
  const field = { tag: 'tagName', brand: 'brandName', category: 'categoryName' } as const;
  return { [field[collectiontype]]: collectionname };
}

/** What the blocks of a page show, loaded for all of them together. */
export interface BlockParts {
  locale: Locale;
  text(text: LocalText): string;
  image(file: string): ImageInfo | undefined;
  products(block: StoredBlockOf<'productList'>): ProductSummary[];
  posts(block: StoredBlockOf<'blog'>): BlogPostSummary[];
  /** Null: never read so far. */
  entries(url: string): FeedEntry[] | null;
  /** The latest photographs, as many as any block shows. */
  photos: readonly SocialPhoto[];
  /** The address of a film or of subtitles; null where there is no such file. */
  film(file: string): string | null;
}

/** The block as a page carries it; pictures that are gone are left out. Null: nothing of it is left. */
export function presentBlock(block: StoredBlock, parts: BlockParts): Block | null {
  const { text, image } = parts;
  const pictures = (items: StoredBlockOf<'imageInfo'>['items']) =>
    items.flatMap((item) => {
      const info = image(item.image);
      const { alt, title, text: words, link, linkLabel } = item;
      return info
        ? [{ image: info, alt: text(alt), title: text(title), text: text(words), link, linkLabel: text(linkLabel) }]
        : [];
    });
  const title = 'title' in block && block.title !== null ? text(block.title) : null;
  switch (block.type) {
    case 'imageSlider':
      return { id: block.id, type: block.type, slides: pictures(block.slides) };
    case 'imageInfo':
      return { id: block.id, type: block.type, items: pictures(block.items) };
    case 'text': {
      const html = block.html === undefined ? {} : { html: shownHtml(text(block.html), parts.locale, image) };
      return { ...block, title, paragraphs: block.paragraphs.map(text), items: block.items.map(text), ...html } as Block;
    }
    case 'buttons':
      return { ...block, buttons: block.buttons.map((button) => ({ ...button, label: text(button.label) })) };
    case 'productList':
      return { ...block, title, products: parts.products(block) };
    case 'form':
      return {
        ...block,
        title,
        fields: block.fields.map((field) => ({ ...field, options: field.options.map(text) })),
        submitLabel: text(block.submitLabel),
        submittedMessage: text(block.submittedMessage),
      };
    case 'video':
      return shownVideo(block, title, parts);
    case 'rssFeed': {
      const entries = parts.entries(block.uiRssFeed.url);
      return { ...block, title, entries: entries?.slice(0, block.uiRssFeed.count) ?? null };
    }
    case 'instagramFeed':
      return { ...block, title, photos: parts.photos.slice(0, block.uiInstagramFeed.count) };
    case 'blog':
      return { ...block, title, posts: parts.posts(block) };
  }
}

function shownVideo(block: StoredBlockOf<'video'>, title: string | null, { text, image, film }: BlockParts): Block | null {
  const poster = (block.poster === null ? undefined : image(block.poster)) ?? null;
  const shown = { ...block, title, poster, caption: text(block.caption), captions: [] };
  if (block.provider !== 'file') return shown;
  const src = film(block.src);
  if (src === null) return null;
  const captions = block.captions.flatMap((track) => {
    const address = film(track.src);
    return address === null ? [] : [{ ...track, src: address }];
  });
  return { ...shown, src, captions };
}
