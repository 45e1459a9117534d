/** The texts of the shop in its languages beside the first, over all kinds of things: listed, written, and found by files. */
import { setTimeout as pause } from 'node:timers/promises';
import { inLocale, type Locale, type LocalText, otherLocales } from '#contract/locales.ts';
import { editAt, edited } from '#contract/rules/patch.ts';
import type { StaffBody, StaffQuery, StaffResponse } from '#contract/staff/endpoints.ts';
import type { ShownState, Translation, TranslationCounts } from '#contract/staff/languages.ts';
import { isStaffKey, type Kind, type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Database, Reader } from '#db/database.ts';
import {
  type Change,
  type ChangesService,
  confirming,
  type Editable,
  type EditableKind,
  type Rest,
} from '#server/modules/changes/index.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import {
  fieldOf,
  inOneForm,
  type LabelPart,
  printedText,
  textsIn,
  writtenText,
} from '#server/platform/local-texts.ts';
import type { Permit } from '#server/platform/permits.ts';
import { createTextIndex, type JudgedText, judgedText, keyOf } from './text-index.ts';

/** Texts of a page, but for those of its last document. */
const pageSize = 40;
/** How long an answer waits for the texts to be counted, ms. */
const patienceMs = 2000;
/** Documents of an export that are read at once. */
const pieceSize = 200;

/** Whether somebody may change what needs a permission. */
export type May = (needs: Permission) => boolean;

/** What is wanted of a text, by a file or a person. */
export interface WantedText {
  path: readonly string[];
  language: Locale;
  /** Empty for none. */
  text: string;
  /** What was seen of it; without a source, whatever that is now. */
  seen: { source?: string; translation: string };
}

export interface FoundDocument {
  of: EditableKind;
  document: Editable;
}

/** A document with its texts that are wanted. */
export interface ListedDocument extends FoundDocument {
  title: string;
  texts: readonly (JudgedText & { label: string })[];
}

export interface ListedPiece {
  documents: readonly ListedDocument[];
  isLast: boolean;
}

interface Filter {
  language: Locale;
  kind?: Kind | undefined;
  state?: ShownState | undefined;
}

export type TranslationsService = ReturnType<typeof createTranslations>;

export function createTranslations({ db, changes }: { db: Database; changes: ChangesService }) {
  const texts = createTextIndex({ db, changes });
  const kindsFor = (may: May) => changes.offered().filter(({ needs }) => may(needs));

  /** Null if it takes longer than somebody waits for it. */
  const soon = () => Promise.race([texts.refresh(), pause(patienceMs, null, { ref: false })]);

  async function found(reader: Reader, may: May, kind: Kind, id: string): Promise<FoundDocument | null> {
    for (const of of kindsFor(may)) {
      const [document] = of.kind === kind ? await of.read(reader, [id]) : [];
      if (document) return { of, document };
    }
    return null;
  }

  async function* documents(
    may: May,
    { language, kind, state = 'open' }: Filter,
    { after, most, locale }: { after?: string | undefined; most: number; locale: Locale },
  ): AsyncGenerator<ListedPiece> {
    const t = staffTranslate(locale);
    const index = await texts.refresh();
    const allowed = new Set(kindsFor(may).filter((of) => kind === undefined || of.kind === kind));
    let isBehind = after === undefined || !index.documents.has(after);
    let piece: { of: EditableKind; id: string }[] = [];
    let size = 0;
    const read = () => listed(piece, { language, state, locale, t });
    for (const [key, { of, id, counts }] of index.documents) {
      if (isBehind && allowed.has(of)) {
        const { missing, stale, done } = counts.get(language) ?? { missing: 0, stale: 0, done: 0 };
        const matching = { missing, stale, done, open: missing + stale, all: missing + stale + done }[state];
        if (matching > 0 && (size >= most || piece.length >= pieceSize)) {
          yield { documents: await read(), isLast: false };
          [piece, size] = [[], 0];
        }
        if (matching > 0) piece.push({ of, id });
        size += matching;
      }
      if (key === after) isBehind = true;
    }
    if (piece.length > 0) yield { documents: await read(), isLast: true };
  }

  async function listed(
    piece: readonly { of: EditableKind; id: string }[],
    { language, state, locale, t }: Required<Omit<Filter, 'kind'>> & { locale: Locale; t: StaffTranslate },
  ): Promise<ListedDocument[]> {
    const { stale } = await texts.refresh();
    const read = new Map<string, Editable>();
    for (const [of, wanted] of Map.groupBy(piece, (each) => each.of))
      for (const document of await of.read(
        db.read,
        wanted.map(({ id }) => id),
      ))
        read.set(keyOf(of.kind, document.id), document);
    return piece.flatMap(({ of, id }) => {
      const document = read.get(keyOf(of.kind, id));
      if (!document) return [];
      const judged = textsIn(of.schema, document, of.schemaOf).flatMap((each) => {
        const text = judgedText(each, language, stale.of(of.kind, id));
        const isWanted =
          text && (state === 'open' ? text.state !== 'done' : state === 'all' || text.state === state);
        return text && isWanted ? [{ ...text, label: labelText(each.labels, each.path, t) }] : [];
      });
      return [{ of, document, title: titleOf(of, document, locale, t), texts: judged }];
    });
  }

  return {
    async counts(permit: Permit, { language }: StaffQuery<'translationCounts'>): Promise<TranslationCounts> {
      const index = await soon();
      const allowed = new Set(kindsFor((needs) => permit.has(needs)));
      const kinds = new Map([...allowed].map(({ kind }) => [kind, { kind, missing: 0, stale: 0, done: 0 }]));
      for (const { of, counts } of index?.documents.values() ?? []) {
        const [sums, own] = [kinds.get(of.kind), counts.get(language)];
        if (!sums || !own || !allowed.has(of)) continue;
        for (const state of ['missing', 'stale', 'done'] as const) sums[state] += own[state];
      }
      return {
        looking: index === null,
        kinds: [...kinds.values()].filter((each) => each.missing + each.stale + each.done > 0),
      };
    },

    async page(
      permit: Permit,
      { after, ...filter }: StaffQuery<'translations'>,
      locale: Locale,
    ): Promise<StaffResponse<'translations'>> {
      if (!(await soon())) return { looking: true, texts: [], next: null };
      const may: May = (needs) => permit.has(needs);
      for await (const page of documents(may, filter, { after, most: pageSize, locale })) {
        const last = page.isLast ? undefined : page.documents.at(-1);
        const shown = page.documents.flatMap(({ of, document, title, texts }) =>
          texts.map((each) => translationOf(of, document, title, each)),
        );
        return { looking: false, texts: shown, next: last ? keyOf(last.of.kind, last.document.id) : null };
      }
      return { looking: false, texts: [], next: null };
    },

    async save(permit: Permit, body: StaffBody<'saveTranslation'>, locale: Locale): Promise<Translation> {
      const { kind, id, path, language, text } = body;
      if (!otherLocales().includes(language)) throw notFound();
      const may: May = (needs) => permit.has(needs);
      const before = await found(db.read, may, kind, id);
      if (!before) throw notFound();
      if (requireSeen(before, body).translation === text) {
        // Before the transaction: counting for the first time takes a while.
        await texts.refresh();
        await changes.run(permit.actor, confirming, async (change) => {
          const now = await found(change.trx, may, kind, id);
          if (!now) throw notFound();
          requireSeen(now, body);
          const field = [...path, language].join('.');
          const isStale = (await texts.refresh()).stale.of(kind, id).get(fieldOf(path))?.has(language);
          change.note(kind, id, isStale ? [{ field, from: text, to: text }] : []);
        });
      } else {
        const rest = await changes.run(permit.actor, 'languages change', (change) =>
          before.of.edit(change, id, (document) => {
            requireSeen({ of: before.of, document }, body);
            return withText(before.of, document, body);
          }),
        );
        await rest?.();
      }
      await texts.refresh();
      const [after] = await listed([{ of: before.of, id }], {
        language,
        state: 'all',
        locale,
        t: staffTranslate(locale),
      });
      const saved = after?.texts.find((each) => fieldOf(each.found.path) === fieldOf(path));
      if (!after || !saved) throw notFound();
      return translationOf(after.of, after.document, after.title, saved);
    },

    documents,
    find: found,

    /** Writes texts of one document, as its own room does, but for those that are not as they were seen. */
    async put(change: Change, of: EditableKind, id: string, wanted: readonly WantedText[]): Promise<Written> {
      let touched: readonly WantedText[] = [];
      const rest = await of.edit(change, id, (document) => {
        touched = wanted.filter((each) => !isAsSeen({ of, document }, each));
        return wanted.reduce(
          (whole, each) => (touched.includes(each) ? whole : withText(of, whole, each)),
          document,
        );
      });
      const [document] = await of.read(change.trx, [id]);
      const after = ({ path, language }: WantedText) => {
        const text = document && textAt({ of, document }, path);
        return printedText(text?.values[language]);
      };
      return { rest, touched, after };
    },
  };
}

interface Written {
  /** What is left to do after the transaction. */
  rest: Rest | undefined;
  touched: readonly WantedText[];
  /** As it is stored now: kinds clean what they are given. */
  after(text: WantedText): string;
}

/** Undefined for a path that leads to none. */
export const textAt = ({ of, document }: FoundDocument, path: readonly string[]) =>
  textsIn(of.schema, document, of.schemaOf).find((each) => fieldOf(each.path) === fieldOf(path));

function isAsSeen(
  found: FoundDocument,
  { path, language, seen: { source, translation } }: WantedText,
): boolean {
  const text = textAt(found, path);
  const judged = text && judgedText(text, language, new Map());
  const isSame = (a: string, b: string) => inOneForm(a) === inOneForm(b);
  return (
    !!judged &&
    isSame(judged.translation, translation) &&
    (source === undefined || isSame(judged.source, source))
  );
}

/** @throws {AppError} 404 for what is not there, or not theirs; CONFLICT for what is not as it was seen */
function requireSeen(
  found: FoundDocument,
  { path, language, seen, text }: StaffBody<'saveTranslation'>,
): JudgedText {
  const there = textAt(found, path);
  const judged = there && judgedText(there, language, new Map());
  if (!judged) throw notFound();
  if (judged.source !== seen.source || ![seen.translation, text].includes(judged.translation))
    throw new AppError('CONFLICT', { errorKey: 'office.languages.changed' });
  return judged;
}

function withText(of: EditableKind, document: Editable, { path, language, text }: WantedText): Editable {
  const there = textAt({ of, document }, path);
  if (!there) return document;
  return edited(document, [editAt(document, [...path, language], writtenText(text, there.form))]);
}

function translationOf(
  of: EditableKind,
  { id }: Editable,
  title: string,
  text: JudgedText & { label: string },
): Translation {
  const { found, label, source, before, translation, state } = text;
  const { path, form, schema } = found;
  const { maxLength: most = null } = schema as { maxLength?: number };
  return { kind: of.kind, id, title, path: [...path], label, form, most, source, before, translation, state };
}

function labelText(labels: readonly LabelPart[], path: readonly string[], t: StaffTranslate): string {
  const words = labels.map(({ key, number }) => {
    const text = t(key, { number });
    return number === 0 || text !== t(key, { number: number + 1 }) ? text : `${text} ${number}`;
  });
  return words.join(' › ') || path.join(' › ');
}

function titleOf(
  { kind, title }: EditableKind,
  document: Editable,
  locale: Locale,
  t: StaffTranslate,
): string {
  const { name, title: own } = document as { name?: LocalText; title?: LocalText };
  const named = [name, own].find((each) => typeof each === 'object' && each !== null);
  const keys = [
    title ?? '',
    `office.words.${kind}.${document.id}`,
    `office.${kind}.${document.id}`,
    `office.${kind}`,
  ];
  const key = keys.find(isStaffKey);
  return (named && inLocale(named, locale)) || (key && isStaffKey(key) ? t(key) : document.id);
}
