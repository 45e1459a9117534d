/** Page blocks on the way in, judged one by one; and on the way out, in a language and with all they show. */
import Value from 'typebox/value';
import type { LocalText } from '#contract/locales.ts';
import {
  type Block,
  type BlockType,
  type ProductListAttribute,
  type StoredBlock,
  storedBlocks,
} from '#contract/schemas/blocks.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { ListFilter } from '../catalogue/list-filter.ts';

export interface JudgedBlocks {
  blocks: StoredBlock[];
  /** Blocks left out because they are not as their type's schema has them, each with what is wrong. */
  rejected: { id: string; problem: string }[];
  /** Blocks left out because this version of the shop has no such type. */
  unknown: { id: string; type: string }[];
}

/** Keeps the blocks that can be shown. */
export function judgeBlocks(candidates: readonly unknown[]): JudgedBlocks {
  const judged: JudgedBlocks = { blocks: [], rejected: [], unknown: [] };
  for (const [index, candidate] of candidates.entries()) {
    const { id, type } = (typeof candidate === 'object' && candidate !== null ? candidate : {}) as Record<string, unknown>;
    const name = typeof id === 'string' ? id : `block ${index + 1}`;
    if (typeof type !== 'string' || !Object.hasOwn(storedBlocks, type)) {
      judged.unknown.push({ id: name, type: String(type) });
      continue;
    }
    const schema = storedBlocks[type as BlockType];
    const [error] = Value.Errors(schema, candidate);
    if (error) judged.rejected.push({ id: name, problem: `${error.instancePath || '/'} ${error.message}` });
    else judged.blocks.push(Value.Clean(schema, Value.Clone(candidate)) as StoredBlock);
  }
  return judged;
}

/** File names of all pictures that the blocks show. */
export function picturesOf(blocks: readonly StoredBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'imageSlider') return block.slides.map((slide) => slide.image);
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

export interface BlockParts {
  text(text: LocalText): string;
  image(file: string): ImageInfo | undefined;
  products(block: StoredBlock & { type: 'productList' }): ProductSummary[];
}

/** The block as a page carries it; pictures that are gone are left out. */
export function shownBlock(block: StoredBlock, { text, image, products }: BlockParts): Block {
  const pictures = (items: (StoredBlock & { type: 'imageInfo' })['items']) =>
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
    case 'text':
      return { id: block.id, type: block.type, title, paragraphs: block.paragraphs.map(text), items: block.items.map(text) };
    case 'buttons':
      return {
        id: block.id,
        type: block.type,
        buttons: block.buttons.map((button) => ({ ...button, label: text(button.label) })),
      };
    case 'productList':
      return { id: block.id, type: block.type, title, uiAttribute: block.uiAttribute, products: products(block) };
  }
}
