import Type, { type Static, type TSchema } from 'typebox';
import { type Locale, localeCodes } from '../locales.ts';
import type { StaffMessageKey } from '../staff/messages.ts';

/** How the office shows a field. */
export interface FieldForm {
  label?: StaffMessageKey;
  hint?: StaffMessageKey;
  /** Adds an entry to a list. */
  add?: StaffMessageKey;
  /** The part of the form; of an object, of all its fields. */
  section?: StaffMessageKey;
  /** Its text has several lines. */
  long?: true;
  /**
   * In place of what its type asks for. `own`: the room draws it; `named`: the room knows what can be chosen; `unique`: nobody draws
   * it, a new entry has one of its own.
   */
  control?: 'own' | 'picture' | 'text' | 'link' | 'richText' | 'rows' | 'unique' | 'named' | 'products';
  /** Of a new entry, in place of the least that its type allows. */
  initial?: string | number;
  /** Begins the messages of its values, where it is not the label: `office.money.class`. */
  values?: string;
  /** The value that it has if it is left out. */
  usual?: string;
  /** What null means. */
  none?: StaffMessageKey;
}

interface Keywords {
  description?: string;
  default?: unknown;
  form?: FieldForm;
}

/** Copying descriptors preserves a schema's kind, which is a non-enumerable property. */
export function annotated<T extends TSchema>(schema: T, keywords: Keywords): T {
  const added = Object.entries(keywords).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors<object>(schema), ...Object.fromEntries(added) },
  ) as T;
}

/** What a generic schema describes. It is never inferred from such a value: that alone takes the compiler a second. */
export type ValueOf<S extends TSchema> = NoInfer<Static<S>>;

/** A field of a document that the office edits says with `form` how. */
export function described<T extends TSchema>(description: string, schema: T, form?: FieldForm): T {
  return annotated(schema, { description, ...(form && { form }) });
}

export function withDefault<T extends TSchema>(schema: T, value: unknown): T {
  return annotated(schema, { default: value });
}

/** What the project calls cents: the smallest unit of the currency by ISO 4217 (`money.ts`). */
export const Cents = Type.Integer({
  unit: 'cents',
  minimum: 0,
  maximum: 1_000_000_000_000,
  description:
    "Cents, or the smallest unit of another currency by ISO 4217: whole yen, fils of a dinar. Of the shop's currency.",
});
export const EpochMs = Type.Integer({
  unit: 'epochMs',
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'An instant, in milliseconds since the epoch.',
});
/** An opaque id or slug, as in a URL. */
export const Id = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  problem: 'problem.id',
  description: 'An opaque id or slug, as in a URL.',
});
/** Of the merchant's own making: with spaces, `/` and the like, but no control characters. */
export const Sku = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$',
  problem: 'problem.sku.form',
  description: 'A stock-keeping unit, as the merchant names it.',
});
/** In a time zone that the field says. */
export const CalendarDay = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', problem: 'problem.date' });
export const Count = Type.Integer({ minimum: 0 });
export const Flag = Type.Boolean();

/** It has at least one. */
export function inLanguages<T extends Type.TSchema>(schema: T, keywords: { named?: true } = {}) {
  // `Object.fromEntries` does not type the keys it creates.
  const languages = Object.fromEntries(localeCodes.map((code) => [code, Type.Optional(schema)])) as {
    [L in Locale]: Type.TOptional<T>;
  };
  return Type.Object(languages, { minProperties: 1, inLanguages: true, ...keywords });
}

export const LocalText = inLanguages(Type.String());
/** By which something is chosen, ordered or billed: where the shop's own language shows nothing, it is missing. */
export const LocalName = inLanguages(Type.String(), { named: true });

/** A link that a merchant wrote: a page of the shop, a website, an email address or a phone number. Never a script. */
export const linkPattern = '^/(?!/)|^#|^[Hh][Tt][Tt][Pp][Ss]?://|^mailto:|^tel:';

/** Of the texts in the answer. Part of the URL, so that a cache needs no Vary. */
export const LangQuery = { lang: Type.Optional(Type.String({ maxLength: 10 })) };

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Every body, query and params schema is one: it rejects unknown fields. */
export const Strict = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const Empty = Strict({});

/** With its label in every language. */
export const NamedRef = Type.Object({
  name: described('The name in addresses and filters.', Id),
  nameContent: described('The label.', LocalText),
});

/** A client replaces the width in `imageURL`. `width` and `height` are the original's; `color` is shown until it has loaded. */
export const ImageInfo = Type.Object({
  imageURL: described(
    'Names the original under `/media/<width>/…`; a client replaces the width.',
    Type.String(),
  ),
  width: described('Pixels of the original.', Type.Integer()),
  height: described('Pixels of the original.', Type.Integer()),
  color: described('The average colour, `#rrggbb`, to show until the image has loaded.', Type.String()),
  alt: Type.Optional(described('What the image shows.', Type.String())),
});
export type ImageInfo = Static<typeof ImageInfo>;

/** SPEC §8. `requestId` identifies the matching log line. */
export const ErrorBody = Type.Object({
  errorType: Type.String({ description: 'The kind of error. New kinds may be added.' }),
  errorKey: Type.Optional(Type.String({ description: 'The exact error.' })),
  message: Type.Optional(Type.String({ description: "The error in the caller's language." })),
  errors: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The message of each invalid field, by its dotted path.',
    }),
  ),
  requestId: Type.Optional(Type.String({ description: 'The id of the request in the log.' })),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** In the language of the caller; true all day, so that answers can be cached. */
export const ServedTimes = Type.Object({
  text: described('Everywhere, with the names of stores that differ: "Served until 11:00".', Type.String()),
  stores: described(
    'By the id of a store; those that always serve it are absent.',
    Type.Record(Type.String(), Type.String()),
  ),
});
export type ServedTimes = Static<typeof ServedTimes>;

/** Checked by the brand's own schemas when it was stored (docs/how-to/brand.md). */
export const Extras = described("What the shop's brand adds.", Type.Record(Type.String(), Type.Unknown()));

export const Address = Type.Object({
  streetNumberAndNameDetails: Type.String(),
  city: Type.String(),
  province: described("The province's or state's name as in `provinces`.", Type.String()),
  postCode: Type.String(),
  country: Type.String(),
  countryISOCode: described('ISO 3166-1 alpha-2.', Type.String()),
  addressDescription: described('Such as a floor or a door code.', Type.String()),
  contactPhone: Type.String(),
});
export type Address = Static<typeof Address>;
