/** The texts of emails, as merchants write them in the office and in files (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import { emailIds } from '../emails.ts';
import { type Locale, localeCodes } from '../locales.ts';
import type { StaffMessageKey } from '../staff/messages.ts';
import { described } from './common.ts';

/** In some of the languages: the others are as delivered. */
function textOf(maxLength: number) {
  const text = Type.Optional(Type.String({ maxLength }));
  // `Object.fromEntries` does not type the keys it creates.
  const languages = Object.fromEntries(localeCodes.map((code) => [code, text])) as Record<
    Locale,
    typeof text
  >;
  return Type.Object(languages, { inSomeLanguages: true });
}

const field = (description: string, maxLength: number, label: StaffMessageKey, hint?: StaffMessageKey) =>
  Type.Optional(
    described(description, textOf(maxLength), {
      label,
      section: 'office.words.texts',
      control: 'own',
      ...(hint && { hint }),
    }),
  );

/** Left out: as delivered. */
const texts = {
  subject: field('The subject.', 150, 'office.words.subject'),
  title: field(
    'The heading; as delivered, for most emails that is the subject.',
    150,
    'office.words.title',
    'office.words.titleHint',
  ),
  greeting: field(
    'The greeting; left out where it has a name that is not known.',
    150,
    'office.words.greeting',
    'office.words.greetingHint',
  ),
  text: field('The first paragraph.', 2000, 'office.words.text'),
  button: field('The words of the button.', 40, 'office.words.button'),
  closing: field('What stands at the end.', 2000, 'office.words.closing', 'office.words.closingHint'),
  foot: field(
    'What stands at the foot, in small print: an address, a policy.',
    500,
    'office.words.foot',
    'office.words.footHint',
  ),
};

export const EmailTexts = Type.Object(texts);
export type EmailTexts = Static<typeof EmailTexts>;

/** By the id of an email. */
export const EmailsSetting = Type.Record(Type.String({ pattern: `^(?:${emailIds.join('|')})$` }), EmailTexts);
export type EmailsSetting = Static<typeof EmailsSetting>;

export const EmailDocument = Type.Object({ id: described('Which email.', Type.Enum(emailIds)), ...texts });
export type EmailDocument = Static<typeof EmailDocument>;
