/** The input of brands, categories and tags. */
import type { LocalText } from '#contract/locales.ts';

export interface BrandInput {
  id: string;
  name: LocalText;
  story: LocalText;
  /** The file name of an imported image. */
  image: string | null;
}

export interface CategoryInput {
  id: string;
  /** The id of a category that exists or precedes this one in the input. */
  parent: string | null;
  name: LocalText;
  description: LocalText;
  /** The file name of an imported image. */
  image: string | null;
}

export interface TagInput {
  id: string;
  name: LocalText;
  description: LocalText;
}
