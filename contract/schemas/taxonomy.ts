/** Brands, categories and tags, as merchants write them in files and in the office. */
import Type, { type Static } from 'typebox';
import { described, Id, LocalName, LocalText, Nullable } from './common.ts';

const picture = described('The file name of an image; null for none.', Nullable(Type.String()), {
  label: 'office.taxon.picture',
  control: 'picture',
});

export const BrandInput = Type.Object({
  id: described('Identifies the brand, and is the end of its address: `/brand/north-shore`.', Id),
  name: described('The name of the brand.', LocalName, { label: 'office.goods.name' }),
  story: described('The story of the brand, for its page and the list of brands.', LocalText, {
    label: 'office.taxon.story',
    long: true,
  }),
  image: picture,
});
export type BrandInput = Static<typeof BrandInput>;

export const CategoryInput = Type.Object({
  id: described('Identifies the category, and is the end of its address: `/products/mugs`.', Id),
  parent: described(
    'The id of the category above this one; null at the top. The parent comes first in the file.',
    Nullable(Id),
    {
      label: 'office.taxon.parent',
      control: 'named',
      none: 'office.taxon.top',
      section: 'office.taxon.place',
    },
  ),
  name: described('The name of the category.', LocalName, { label: 'office.goods.name' }),
  description: described('A sentence for the page of the category.', LocalText, {
    label: 'office.store.description',
    long: true,
  }),
  image: picture,
});
export type CategoryInput = Static<typeof CategoryInput>;

export const TagInput = Type.Object({
  id: described('Identifies the tag, and is the end of its address: `/tag/dishwasher-safe`.', Id),
  name: described('The name of the tag.', LocalName, { label: 'office.goods.name' }),
  description: described('A sentence for the page of the tag.', LocalText, {
    label: 'office.store.description',
    long: true,
  }),
});
export type TagInput = Static<typeof TagInput>;
