/** The calls of the room Languages: the texts of the shop in its languages beside the first. */
import Type, { type Static } from 'typebox';
import { localeCodes } from '../locales.ts';
import { Count, described, Flag, Nullable, Strict } from '../schemas/common.ts';
import { lang, type StaffEndpoint } from './endpoint.ts';
import { Ticket } from './imports.ts';
import { kinds } from './messages.ts';
import { textPermissions } from './permissions.ts';

/** missing: nothing stands there; stale: the first language has changed since it was written; done: neither; open: not done. */
export const textStates = ['missing', 'stale', 'done'] as const;
export type TextState = (typeof textStates)[number];
export const shownStates = ['open', ...textStates, 'all'] as const;
export type ShownState = (typeof shownStates)[number];

const Language = Type.Enum(localeCodes);
const KindName = Type.Enum([...kinds]);
const id = Type.String({ minLength: 1, maxLength: 500 });
/** The longest text of a document is a description of 100,000 characters. */
const text = Type.String({ maxLength: 100_000 });
const Path = Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 20 });

export const Translation = Type.Object({
  kind: KindName,
  id,
  title: described('Of the document, in the language of the caller.', Type.String()),
  path: described(
    'From the document to the text; entries of a list by what names them, or their place.',
    Type.Array(Type.String()),
  ),
  label: described('Of the field, in the language of the caller.', Type.String()),
  form: described('How it is typed.', Type.Enum(['line', 'lines', 'paragraphs', 'html'])),
  most: described('Characters; null: any number.', Nullable(Count)),
  source: described('In the first language.', Type.String()),
  before: described(
    'What that said when the translation was written; null if it is the same, or not known.',
    Nullable(Type.String()),
  ),
  translation: described('Empty for none.', Type.String()),
  state: Type.Enum(textStates),
});
export type Translation = Static<typeof Translation>;

const Counts = Type.Object({
  looking: described('Whether the texts are still being counted: ask again.', Flag),
  kinds: Type.Array(Type.Object({ kind: KindName, missing: Count, stale: Count, done: Count })),
});
export type TranslationCounts = Static<typeof Counts>;

const Translations = Type.Object({
  looking: Counts.properties.looking,
  texts: Type.Array(Translation),
  next: described('To go on after them; null: there are no more.', Nullable(Type.String())),
});

const filter = {
  language: described('One of the shop beside its first.', Language),
  kind: Type.Optional(KindName),
  state: Type.Optional(Type.Enum(shownStates)),
};

/** What of the shop somebody may translate is what they may change. */
const translating = { needs: 'content.write', also: textPermissions } as const;

export const languageEndpoints = {
  translationCounts: {
    ...translating,
    route: 'GET translations/counts',
    summary: 'How many texts there are in a language, by kind: missing, out of date and translated.',
    query: Strict({ ...lang.properties, language: Language }),
    response: Counts,
  },
  translations: {
    ...translating,
    route: 'GET translations',
    summary:
      'Texts of all kinds that the caller may change, with their translations, those of a document together.',
    query: Strict({ ...lang.properties, ...filter, after: Type.Optional(Type.String({ maxLength: 600 })) }),
    response: Translations,
  },
  saveTranslation: {
    ...translating,
    route: 'POST translations',
    repeat: 'seen',
    summary:
      'Writes a translation into its document, as its own room does. One that stays as it is counts as written: it is still right.',
    body: Strict({
      kind: KindName,
      id,
      path: Path,
      language: Language,
      text: described('Empty for none.', text),
      seen: described(
        'What was shown of both languages. If somebody has changed either since, it is a conflict.',
        Strict({ source: text, translation: text }),
      ),
    }),
    response: Translation,
  },
  exportTranslations: {
    tool: false,
    ...translating,
    route: 'POST exports/translations',
    repeat: 'own',
    summary: 'Texts with their translations, for a translator, as CSV or XLSX.',
    body: Strict({ ...filter, format: Type.Enum(['csv', 'xlsx']) }),
    response: Ticket,
  },
} as const satisfies Record<string, StaffEndpoint>;
