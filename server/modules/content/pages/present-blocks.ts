/** Presents the stored blocks of a page for display. */
import type { BlockContext } from '#blocks/define-block.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Block, BlockType, StoredBlock } from '#contract/schemas/blocks.ts';
import { definitionOf } from './block-definitions.ts';
import { createBlockSources, type SourceServices } from './block-sources.ts';
import { blockRichText, shownHtml } from './rich-text.ts';

/** The blocks in the page's language. Images are loaded for all blocks at once, lists once per type. */
export async function presentBlocks(blocks: readonly StoredBlock[], locale: Locale, services: SourceServices): Promise<Block[]> {
  const files = blocks.flatMap((block) => definitionOf(block.type)?.pictures?.(block, blockRichText) ?? []);
  const [images, loaded] = await Promise.all([services.media.images(files), loadByType(blocks, locale, services)]);
  const image = (file: string) => images.get(file);
  const page: BlockContext = {
    locale,
    text: (text) => inLocale(text, locale),
    optionalText: (text) => (text === null ? null : inLocale(text, locale)),
    image,
    richText: (html) => shownHtml(html, locale, image),
  };
  return blocks.flatMap((block) => definitionOf(block.type)?.present(block, page, loaded.get(block.type)) ?? []);
}

async function loadByType(
  blocks: readonly StoredBlock[],
  locale: Locale,
  services: SourceServices,
): Promise<ReadonlyMap<BlockType, unknown>> {
  const sources = createBlockSources(locale, services);
  const types = [...new Set(blocks.map(({ type }) => type))];
  return new Map(
    await Promise.all(
      types.map(async (type) => {
        const ofType = blocks.filter((block) => block.type === type);
        return [type, await definitionOf(type)?.load?.(ofType, sources)] as const;
      }),
    ),
  );
}
