/** The header and the footer of every page, as merchants write them in the office and in files (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import { type navigationParts, navigationPlaces } from '../limits.ts';
import { described, Flag, LocalName, LocalText, linkPattern } from './common.ts';
import { Picture } from './look.ts';

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
  account: part(
    'Whether the account is there; if left out, it is in the header, and not in the footer.',
    'account',
  ),
};

/** In files, which may leave them out: they are shown then. */
export const NavigationParts = Type.Object({
  categories: Type.Optional(parts.categories),
  brands: Type.Optional(parts.brands),
  clearance: Type.Optional(parts.clearance),
  blog: Type.Optional(parts.blog),
  account: Type.Optional(parts.account),
});

const mostLinks = 40;

const Target = Type.String({ pattern: linkPattern, problem: 'problem.link', maxLength: 500 });

const link = (label: 'office.navigation.text' | 'office.navigation.childText') => ({
  label: described('The text of the link.', LocalName, { label }),
  link: described('A page of the shop such as `/care`, or an address.', Target, {
    label: 'office.navigation.target',
    control: 'link',
  }),
});

export const NavigationLink = Type.Object({
  ...link('office.navigation.text'),
  picture: Type.Optional(
    described(
      'The file name of a picture. The header shows it in the open group; the footer has none.',
      Picture,
      {
        label: 'office.navigation.picture',
        control: 'picture',
      },
    ),
  ),
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
    control: 'own',
    add: 'office.navigation.addLink',
    section: 'office.navigation.links',
  },
);

const section = 'office.navigation.strip';

export const NavigationStrip = described(
  'A line under the header of the home page and of lists, such as news or an offer. Without a text, it is that of the season, if the shop’s brand has one.',
  Type.Object({
    text: described('What it says.', LocalText, {
      label: 'office.navigation.stripText',
      hint: 'office.navigation.stripHint',
      section,
    }),
    link: described(
      'A page of the shop, or an address; empty for none.',
      Type.Union([Type.Literal(''), Target]),
      {
        label: 'office.navigation.stripTarget',
        control: 'link',
        section,
      },
    ),
  }),
);

export const NavigationDocument = Type.Object({
  id: described('Where it is.', Type.Enum(navigationPlaces)),
  ...parts,
  links: NavigationLinks,
  /** Of the header alone. */
  strip: Type.Optional(NavigationStrip),
});
export type NavigationDocument = Static<typeof NavigationDocument>;
