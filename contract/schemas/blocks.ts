/**
 * SPEC §2, §3. A stored block has every text in all languages; a shown one is in one language and has the items it lists loaded.
 */
import Type, { type Static } from 'typebox';
import * as definitions from '#blocks/definitions.ts';
import { Id } from './common.ts';

type Definitions = typeof definitions;

export type BlockType = keyof Definitions;
export type StoredBlockOf<T extends BlockType> = Static<Definitions[T]['stored']>;
export type StoredBlock = { [T in BlockType]: StoredBlockOf<T> }[BlockType];
export type BlockOf<T extends BlockType> = Static<Definitions[T]['shown']>;
export type Block = { [T in BlockType]: BlockOf<T> }[BlockType];

export const blockTypes = Object.keys(definitions) as BlockType[];

export const PictureItem = definitions.imageSlider.shown.properties.slides.items;

/** By a name such as `TextBlock`. */
export const shownBlocks: Record<string, Type.TSchema> = Object.fromEntries(
  Object.entries(definitions).map(([type, { shown }]) => [
    `${type.charAt(0).toUpperCase()}${type.slice(1)}Block`,
    shown,
  ]),
);

const AnyBlock = Type.Unsafe<Block>(Type.Union(Object.values(definitions).map(({ shown }) => shown)));

export const PageContent = Type.Object({
  name: Id,
  title: Type.String(),
  metaDescription: Type.String(),
  blocks: Type.Array(AnyBlock),
});
export type PageContent = Static<typeof PageContent>;
