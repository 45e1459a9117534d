/**
 * How many texts each document has in each language, and in which state: counted once, and then again for what the journal says has
 * changed. A page of them reads only its own documents.
 */
import { setImmediate } from 'node:timers/promises';
import { type Locale, mainLocale, offeredLocales, otherLocales } from '#contract/locales.ts';
import type { TextState } from '#contract/staff/languages.ts';
import type { Kind } from '#contract/staff/messages.ts';
import type { Database } from '#db/database.ts';
import {
  type ChangesService,
  createStaleTexts,
  type Editable,
  type EditableKind,
  type StaleTexts,
} from '#server/modules/changes/index.ts';
import { fieldOf, printedText, type TextInLanguages, textsIn } from '#server/platform/local-texts.ts';

export type StateCounts = Record<TextState, number>;

export interface CountedDocument {
  of: EditableKind;
  id: string;
  counts: ReadonlyMap<Locale, StateCounts>;
}

/** A text with its translation into one language. */
export interface JudgedText {
  found: TextInLanguages;
  source: string;
  translation: string;
  state: TextState;
  before: string | null;
}

/** Entries of the journal, and documents, that are read before others have their turn. */
const atOnce = 500;

interface Index {
  /** Of the shop's languages: with others, everything is counted again. */
  languages: string;
  stale: StaleTexts;
  /** By kind and id, in the order of the list. */
  documents: Map<string, CountedDocument>;
  /** The last entry of the journal that counts. */
  last: number;
  isWhole: boolean;
}

export type TextIndex = ReturnType<typeof createTextIndex>;

export function createTextIndex({ db, changes }: { db: Database; changes: ChangesService }) {
  let index: Index | undefined;
  let underWay: Promise<Index> | undefined;

  async function refreshed(): Promise<Index> {
    const languages = offeredLocales().join(' ');
    if (index?.languages !== languages)
      index = {
        languages,
        stale: createStaleTexts(mainLocale()),
        documents: new Map(),
        last: 0,
        isWhole: false,
      };
    const current = index;
    // Before the documents: what is saved meanwhile is read again at the next time.
    const changed = await followJournal(current);
    if (current.isWhole) await countChanged(current, changed);
    else await countAll(current);
    current.isWhole = true;
    return current;
  }

  async function followJournal(current: Index): Promise<Map<Kind, Set<string>>> {
    const kinds = [...new Set(changes.offered().map(({ kind }) => kind))];
    const changed = new Map<Kind, Set<string>>(kinds.map((kind) => [kind, new Set()]));
    for (let isLast = false; !isLast; ) {
      const { entries, last } = await changes.after(current.last, kinds, atOnce);
      for (const entry of entries) {
        current.stale.follow(entry);
        changed.get(entry.kind)?.add(entry.id);
        const moved = entry.fields?.find(({ field }) => field === 'id')?.to;
        if (typeof moved === 'string') changed.get(entry.kind)?.add(moved);
      }
      isLast = last === null;
      current.last = last ?? current.last;
      await setImmediate();
    }
    return changed;
  }

  async function countAll(current: Index): Promise<void> {
    for (const of of changes.offered())
      for await (const piece of of.pieces(db.read))
        for (const [at, document] of piece.entries()) {
          count(current, of, document);
          if (at % atOnce === 0) await setImmediate();
        }
  }

  async function countChanged(
    current: Index,
    changed: ReadonlyMap<Kind, ReadonlySet<string>>,
  ): Promise<void> {
    for (const [kind, ids] of changed) {
      const gone = new Set(ids);
      for (const of of changes.offered()) {
        if (of.kind !== kind) continue;
        for (let from = 0, all = [...ids]; from < all.length; from += atOnce) {
          for (const document of await of.read(db.read, all.slice(from, from + atOnce))) {
            gone.delete(document.id);
            count(current, of, document);
          }
          await setImmediate();
        }
      }
      for (const id of gone) current.documents.delete(keyOf(kind, id));
    }
  }

  function count({ stale, documents }: Index, of: EditableKind, document: Editable): void {
    const texts = textsIn(of.schema, document, of.schemaOf);
    const counts = new Map<Locale, StateCounts>();
    for (const language of otherLocales()) {
      const ofLanguage: StateCounts = { missing: 0, stale: 0, done: 0 };
      for (const found of texts) {
        const judged = judgedText(found, language, stale.of(of.kind, document.id));
        if (judged) ofLanguage[judged.state] += 1;
      }
      counts.set(language, ofLanguage);
    }
    documents.set(keyOf(of.kind, document.id), { of, id: document.id, counts });
  }

  return {
    /** Up to date. One at a time: others wait for it. */
    refresh(): Promise<Index> {
      underWay ??= refreshed().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}

export const keyOf = (kind: Kind, id: string): string => `${kind} ${id}`;

/** Null where the first language says nothing. */
export function judgedText(
  found: TextInLanguages,
  language: Locale,
  stale: ReturnType<StaleTexts['of']>,
): JudgedText | null {
  const [source, translation] = [mainLocale(), language].map((code) => printedText(found.values[code])) as [
    string,
    string,
  ];
  if (source.trim() === '') return null;
  const ofText = stale.get(fieldOf(found.path));
  const then = ofText?.get(language);
  const isStale = ofText?.has(language) === true && printedText(then) !== source;
  const state = translation === '' ? 'missing' : isStale ? 'stale' : 'done';
  return {
    found,
    source,
    translation,
    state,
    before: state === 'stale' && then !== undefined ? printedText(then) : null,
  };
}
