/** The looks of the shop, as merchants set them in the office and in files (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import { colourPattern, lookCards, lookCorners, lookDensities, lookFonts } from '../rules/look.ts';
import { described, Flag, LocalText, Nullable } from './common.ts';

const Colour = Type.String({ pattern: colourPattern, problem: 'problem.colour' });

export const LookColours = Type.Object({
  paper: described('Of the page.', Colour),
  ink: described('Of text.', Colour),
  action: described('Of links and buttons.', Colour),
  sale: described('Of reduced prices and of errors.', Colour),
});

const colours = 'office.look.colours';
const form = 'office.look.form';
const logo = 'office.look.logoPart';
export const Picture = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*\\.[A-Za-z0-9]+$',
  problem: 'problem.invalid',
  maxLength: 200,
});

/** Null stands for what the program, or the folder of `BRAND`, delivers. */
const fields = {
  colours: described(
    'Four colours, from which all others follow. Text that could not be read in them is refused. Null: those that are delivered.',
    Nullable(LookColours),
    { label: 'office.look.day', section: colours, control: 'own' },
  ),
  night: described('Whether the shop is dark on devices that are.', Flag, {
    label: 'office.look.night',
    section: colours,
  }),
  nightColours: described(
    'The same by night; null: they follow from those of the day.',
    Nullable(LookColours),
    {
      label: 'office.look.nightColours',
      section: colours,
      control: 'own',
    },
  ),
  corners: described('Of pictures, buttons and panels.', Nullable(Type.Enum(lookCorners)), {
    label: 'office.look.corners',
    none: 'office.look.delivered',
    section: form,
  }),
  density: described(
    'How much space there is between the parts of a page.',
    Nullable(Type.Enum(lookDensities)),
    {
      label: 'office.look.density',
      none: 'office.look.delivered',
      section: form,
    },
  ),
  cards: described('How products stand in lists.', Nullable(Type.Enum(lookCards)), {
    label: 'office.look.cards',
    none: 'office.look.delivered',
    section: form,
  }),
  fonts: described(
    'Fonts of headings and text, in each of the languages. Only the delivered ones are loaded; others are on the devices.',
    Nullable(Type.Enum(lookFonts)),
    { label: 'office.look.fonts', none: 'office.look.delivered', section: form },
  ),
  logo: described(
    'A picture that stands in place of the name in the header; null: the name.',
    Nullable(Picture),
    {
      label: 'office.look.logo',
      section: logo,
      control: 'picture',
    },
  ),
  nightLogo: described('The same by night; null: the same picture.', Nullable(Picture), {
    label: 'office.look.nightLogo',
    section: logo,
    control: 'picture',
  }),
  logoText: described(
    'What the logo says, for those who do not see it; null: the name of the shop.',
    Nullable(LocalText),
    {
      label: 'office.look.logoText',
      section: logo,
    },
  ),
  icon: described(
    'The picture of which the icons of browsers and phones are made; null: the logo, and without one those of the build.',
    Nullable(Picture),
    { label: 'office.look.icon', section: logo, control: 'picture' },
  ),
};

/** The names of its pictures. */
export const lookPictures = ['logo', 'nightLogo', 'icon'] as const;

/** In files, which may leave fields out: what is delivered is shown then. */
export const LookSetting = Type.Partial(Type.Object(fields));
export type LookSetting = Static<typeof LookSetting>;

export const LookDocument = Type.Object({ id: described('Always `shop`.', Type.Enum(['shop'])), ...fields });
export type LookDocument = Static<typeof LookDocument>;
