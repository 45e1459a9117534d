/** A page of the shop, as merchants write it in the office. Files name it by `name` (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import type { pageBeginnings } from '../limits.ts';
import { described, LocalName, LocalText } from './common.ts';

export const PageDocument = Type.Object({
  id: described(
    'The address of the page: `care` is at `/care`. `home` is the first page of the shop, and `contact` appears below the stores on the contact page.',
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,59}$',
      problem: 'problem.page.name',
    }),
  ),
  title: described('The title, for the browser and for search engines.', LocalName, {
    label: 'office.page.title',
  }),
  metaDescription: described(
    'The description that search engines show: one or two sentences. Empty for none.',
    LocalText,
    {
      label: 'office.page.description',
      hint: 'office.page.descriptionHint',
      long: true,
    },
  ),
  blocks: described(
    'The blocks of the page, from top to bottom.',
    Type.Array(Type.Unknown(), { maxItems: 200 }),
    {
      label: 'office.page.blocks',
      section: 'office.page.blocks',
      control: 'own',
    },
  ),
});
export type PageDocument = Omit<Static<typeof PageDocument>, 'blocks'> & { blocks: readonly unknown[] };

export type PageBeginning = (typeof pageBeginnings)[number];
