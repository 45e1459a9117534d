/** The header and the footer of every page, as merchants write them in the office and in files (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import { type navigationParts, navigationPlaces } from '../limits.ts';
import { described, Flag, LocalName, linkPattern } from './common.ts';

export type NavigationPlace = (typeof navigationPlaces)[number];
export type NavigationPart = (typeof navigationParts)[number];

const part = (description: string, name: NavigationPart) =>
  described(description, Flag, { label: `office.navigation.${name}`, section: 'office.navigation.parts' });
const parts = {
  categories: part(
    'Whether the categories are there, each with those below it; if left out, they are. One that is added later appears by itself.',
    'categories',
  ),
  brands: part('Whether a link to all brands is there; if left out, it is.', 'brands'),
  clearance: part('Whether a link to all products on clearance is there; if left out, it is.', 'clearance'),
  blog: part('Whether a link to the blog is there, if the shop has one; if left out, it is.', 'blog'),
};

/** In files, which may leave them out: they are shown then. */
export const NavigationParts = Type.Object({
  categories: Type.Optional(parts.categories),
  brands: Type.Optional(parts.brands),
  clearance: Type.Optional(parts.clearance),
  blog: Type.Optional(parts.blog),
});

const mostLinks = 40;

const link = (label: 'office.navigation.text' | 'office.navigation.childText') => ({
  label: described('The text of the link.', LocalName, { label }),
  link: described(
    'A page of the shop such as `/care`, or an address.',
    Type.String({ pattern: linkPattern, problem: 'problem.link', maxLength: 500 }),
    { label: 'office.navigation.target', control: 'link' },
  ),
});

export const NavigationLink = Type.Object({
  ...link('office.navigation.text'),
  children: Type.Optional(
    described(
      'Links below it: it is a group then, which opens in the header, and has a column of its own in the footer.',
      Type.Array(Type.Object(link('office.navigation.childText')), { maxItems: mostLinks }),
      { label: 'office.navigation.child', add: 'office.navigation.addChild' },
    ),
  ),
});
export type NavigationLink = Static<typeof NavigationLink>;

export const NavigationLinks = described(
  'Links of the merchant’s own, in this order. In the header they come after the categories.',
  Type.Array(NavigationLink, { maxItems: mostLinks }),
  {
    label: 'office.navigation.link',
    hint: 'office.navigation.linksHint',
    add: 'office.navigation.addLink',
    section: 'office.navigation.links',
  },
);

export const NavigationDocument = Type.Object({
  id: described('Where it is.', Type.Enum(navigationPlaces)),
  ...parts,
  links: NavigationLinks,
});
export type NavigationDocument = Static<typeof NavigationDocument>;
