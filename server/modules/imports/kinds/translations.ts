/** Texts with their translations, as this shop exports them for translators: each row is one text. */
import { isLocale, type Locale, locales, mainLocale, otherLocales } from '#contract/locales.ts';
import { listed, type Problem, problem, shown } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import { isStaffKey, type Kind, kinds, staffTranslate } from '#contract/staff/messages.ts';
import type { Database, Reader } from '#db/database.ts';
import type { BulkOutcome, BulkRow, Change, Rest } from '#server/modules/changes/index.ts';
import { type FoundDocument, type TranslationsService, textAt } from '#server/modules/languages/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { inOneForm, pathOf, printedText, writtenText } from '#server/platform/local-texts.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { placeOf, type Sheet } from '../sheet/read-sheet.ts';
import {
  columnNames,
  type Entry,
  type ImportKind,
  type ImportOptions,
  type ImportRun,
  isRefused,
  type Judge,
  type Judged,
  type Mapping,
  type PlannedRow,
  RowReader,
  rowsAtOnce,
  takenBackEach,
} from './kind.ts';

export interface TranslationKindDeps {
  db: Database;
  translations: TranslationsService;
}

interface FoundTranslation {
  kind: string;
  id: string;
  field: string;
  language: string;
  source: string;
  text: string;
}

const fields = ['Kind', 'Id', 'Field', 'Name', 'Language', 'Source', 'Translation', 'State'].map(
  (name) => `text${name}`,
);
const nameOf = (field: string, locale: Locale) => {
  const key = `office.imports.field.${field}`;
  return isStaffKey(key) ? staffTranslate(locale)(key) : field;
};

/** Of the file that `exports` writes, in the language of whoever saves it. */
export const translationHeader = (locale: Locale): string[] => fields.map((field) => nameOf(field, locale));

const { fieldOf } = columnNames(
  Object.fromEntries(
    fields.map((field) => [
      field,
      (Object.keys(locales) as Locale[]).map((code) => nameOf(field, code).toLowerCase()).join('|'),
    ]),
  ),
);
const needed = ['textKind', 'textId', 'textField', 'textLanguage', 'textSource', 'textTranslation'];

export function createTranslationKind(deps: TranslationKindDeps): ImportKind<FoundTranslation> {
  const left: Rest[] = [];
  return {
    id: 'translations',
    uses: ['texts'],
    fields,
    fieldOf,
    score: (columns) =>
      needed.every((field) => columns.some((column) => fieldOf(column) === field)) ? columns.length + 20 : 0,
    read,
    judge: (options) => judge(deps, options),
    apply: (change, rows, run) => apply(deps, change, rows, { run, left }),
    takeBack: (change, rows, run) => takeBack(deps, change, rows, { run, left }),
    async finish() {
      for (const rest of left.splice(0)) await rest();
    },
  };
}

function* read(sheet: Sheet, mapping: Mapping): Generator<Entry<FoundTranslation> | null> {
  const reader = new RowReader(sheet, mapping);
  const lines = new Map<string, number>();
  for (const [at, row] of sheet.rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    reader.row = row;
    const text = (field: string) => reader.text(field) ?? '';
    const content = {
      kind: text('textKind').trim(),
      id: text('textId').trim(),
      field: text('textField').trim(),
      language: text('textLanguage').trim(),
      source: inOneForm(text('textSource')),
      text: inOneForm(text('textTranslation')),
    };
    const place = JSON.stringify([content.kind, content.id, content.field, content.language]);
    const line = lines.get(place);
    if (line !== undefined) reader.refuse('textField', 'problem.sheet.textTwice', { line });
    lines.set(place, line ?? row.line);
    const isLanguage = isLocale(content.language) && otherLocales().includes(content.language);
    if (!isLanguage)
      reader.refuse('textLanguage', 'problem.sheet.textLanguage', { allowed: listed(otherLocales()) });
    const subject = text('textName').slice(0, 200) || [content.id, content.field].join(' · ');
    yield { subject, lines: [row.line], content, problems: reader.problems.splice(0) };
  }
}

function judge({ db, translations }: TranslationKindDeps, { may }: ImportOptions): Judge<FoundTranslation> {
  return {
    async of(entries) {
      const found = new Map<string, FoundDocument | null>();
      for (const { content } of entries) {
        const key = keyOf(content);
        if (!found.has(key)) found.set(key, await documentOf(translations, db.read, may, content));
      }
      return entries.map((entry) => judged(entry, found.get(keyOf(entry.content)) ?? null));
    },
  };
}

const keyOf = ({ kind, id }: FoundTranslation) => `${kind} ${id}`;

async function documentOf(
  { find }: TranslationsService,
  reader: Reader,
  may: ImportOptions['may'],
  { kind, id }: FoundTranslation,
): Promise<FoundDocument | null> {
  return (kinds as readonly string[]).includes(kind)
    ? find(reader, (needs) => may.includes(needs), kind as Kind, id)
    : null;
}

function judged(
  { content, lines, problems: read }: Entry<FoundTranslation>,
  found: FoundDocument | null,
): Judged {
  const { field, language, source, text } = content;
  const problems = [...read];
  const refuse = (column: string, key: Problem['key'], values: Problem['values'] = {}) =>
    problems.push({ path: placeOf(lines[0] ?? 0, nameOf(column, mainLocale())), key, values });
  const path = pathOf(field);
  const there = found && textAt(found, path);
  const now = there ? printedText(there.values[mainLocale()]) : '';
  if (!there || now === '') refuse(found ? 'textField' : 'textId', 'problem.sheet.textGone');
  else if (inOneForm(now) !== source) refuse('textSource', 'problem.sheet.textChanged', { now: shown(now) });
  if (!there || isRefused(problems) || !isLocale(language))
    return { outcome: 'problem', fields: [], problems };
  const before = printedText(there.values[language]);
  // What was left empty is not translated yet.
  if (text === '' || text === inOneForm(before)) return { outcome: 'unchanged', fields: [], problems };
  const wrong = schemaProblems(there.schema, writtenText(text, there.form));
  if (wrong.length > 0)
    return {
      outcome: 'problem',
      fields: [],
      problems: wrong.map((each) => ({
        ...each,
        path: placeOf(lines[0] ?? 0, nameOf('textTranslation', mainLocale())),
      })),
    };
  const set: Difference = { path: [...path, language], ...(before === '' ? {} : { from: before }), to: text };
  return { outcome: before === '' ? 'new' : 'changed', fields: [set], problems };
}

interface Work {
  run: ImportRun;
  left: Rest[];
}

async function apply(
  { translations }: TranslationKindDeps,
  change: Change,
  rows: readonly PlannedRow<FoundTranslation>[],
  { run, left }: Work,
): Promise<BulkOutcome[]> {
  const outcomes = new Map<number, BulkOutcome>();
  for (const group of Map.groupBy(rows, ({ content }) => keyOf(content)).values()) {
    const [first] = group;
    const found = first && (await documentOf(translations, change.trx, run.may, first.content));
    for (const outcome of await written(translations, change, found ?? null, group.map(wantedOf), left))
      outcomes.set(outcome.no, outcome);
  }
  return rows.flatMap(({ no }) => outcomes.get(no) ?? []);
}

interface Wanted {
  row: Pick<BulkRow, 'no' | 'subject'>;
  set: Difference;
  seen: { source?: string; translation: string };
}

const wantedOf = ({
  no,
  subject,
  content: { source },
  fields: [set = { path: [] }],
}: PlannedRow<FoundTranslation>): Wanted => ({
  row: { no, subject },
  set,
  seen: { source, translation: String(set.from ?? '') },
});

/** All of a document at once; if it is refused, each by itself, so that only that one stays as it is. */
async function written(
  translations: TranslationsService,
  change: Change,
  found: FoundDocument | null,
  all: readonly Wanted[],
  left: Rest[],
): Promise<BulkOutcome[]> {
  const texts = all.map(({ set: { path, to }, seen }) => ({
    path: path.slice(0, -1),
    language: path.at(-1) as Locale,
    text: String(to ?? ''),
    seen,
  }));
  try {
    const put = found && (await translations.put(change, found.of, found.document.id, texts));
    if (put?.rest) left.push(put.rest);
    return all.map(({ row, set }, at) => {
      const text = texts[at];
      if (!put || !text || put.touched.includes(text))
        return { ...row, outcome: 'problem', fields: [], problems: [problem([], 'problem.touched')] };
      return {
        ...row,
        outcome: set.from === undefined ? 'new' : 'changed',
        fields: [{ ...set, to: put.after(text) }],
      };
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const outcomes: BulkOutcome[] = [];
    if (all.length === 1)
      return all.map(({ row }) => ({ ...row, outcome: 'problem', fields: [], problems: error.problems }));
    for (const each of all) outcomes.push(...(await written(translations, change, found, [each], left)));
    return outcomes;
  }
}

const takeBack = (
  { translations }: TranslationKindDeps,
  change: Change,
  rows: readonly BulkRow[],
  { run, left }: Work,
) =>
  takenBackEach(rows, async ({ no, subject, fields, plan }) => {
    const { content }: { content: FoundTranslation } = JSON.parse(plan ?? '{}');
    const [set]: Difference[] = JSON.parse(fields);
    const found = await documentOf(translations, change.trx, run.may, content);
    if (!set || !found) return false;
    const back: Difference = { path: set.path, ...(set.from === undefined ? {} : { to: set.from }) };
    const wanted = { row: { no, subject }, set: back, seen: { translation: String(set.to ?? '') } };
    const [outcome] = await written(translations, change, found, [wanted], left);
    return (outcome?.problems ?? []).length === 0;
  });
