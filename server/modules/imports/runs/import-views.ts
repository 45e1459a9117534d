/** What people are shown of imports. */
import { join } from 'node:path';
import type { Locale } from '#contract/locales.ts';
import { problemText, shown } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { StaffQuery, StaffResponse } from '#contract/staff/endpoints.ts';
import type { ImportAnswer, ImportOutcome, ImportState } from '#contract/staff/imports.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Database } from '#db/database.ts';
import { type BulkRow, bulkRowsBelow } from '#server/modules/changes/index.ts';
import { byteOrderMark, csvOf } from '#server/platform/csv.ts';
import { dayMs } from '#server/platform/durations.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Mapping } from '../kinds/kind.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import { type ImportRow, importById } from './imports.repository.ts';
import { type About, type Counts, type ImportRunsDeps, optionsOf, problemsOf } from './runs-deps.ts';

export const takeBackMs = 30 * dayMs;
const shownRows = 50;
const mostShownFields = 30;
const reportedAtOnce = 500;

export function createImportViews({ db, now, kinds, folder }: ImportRunsDeps) {
  async function stored(id: string): Promise<ImportRow> {
    const row = await importById(db.read, id);
    if (!row) throw notFound();
    return row;
  }

  const stateOf = (row: ImportRow, locale: Locale): ImportState => {
    const { warnings, made: _made, ...counts }: Counts = JSON.parse(row.counts);
    const { problem: why }: About = JSON.parse(row.about);
    return {
      ...{ id: row.id, file: row.file, uploadedAt: row.uploaded_at, total: row.total, done: row.done },
      kind: row.kind as ImportState['kind'],
      ...{ state: row.state as ImportState['state'], counts, warnings },
      problem: why ? problemText(why, staffTranslate(locale)) : null,
      canTakeBack: row.state === 'done' && now() - row.uploaded_at < takeBackMs,
    };
  };

  function answer(row: ImportRow, locale: Locale): ImportAnswer {
    const { format, encoding, delimiter, rows, examples, remembered }: About = JSON.parse(row.about);
    const mapping: Mapping = JSON.parse(row.mapping);
    const columns: string[] = JSON.parse(row.columns);
    const kind = kinds.find(({ id }) => id === row.kind);
    const { places: _places, ...options } = optionsOf(row);
    return {
      ...stateOf(row, locale),
      ...{ about: { format, encoding, delimiter }, rows, remembered },
      ...{ kinds: kinds.map(({ id }) => id), fields: [...(kind?.fields ?? [])], uses: [...(kind?.uses ?? [])] },
      columns: columns.map((name, at) => ({ name, field: mapping[at] ?? null, example: examples[at] ?? '' })),
      options,
      made: (JSON.parse(row.counts) as Counts).made,
    };
  }

  return {
    stored,
    stateOf,
    answer,
    read: async (id: string, locale: Locale): Promise<ImportAnswer> => answer(await stored(id), locale),
    rows: async (id: string, query: StaffQuery<'importRows'>, locale: Locale) => rowsOf(db, await stored(id), query, locale),
    report: async (id: string, locale: Locale) => reportOf(db, folder, await stored(id), locale),
  };
}

async function rowsOf(
  db: Database,
  { id }: ImportRow,
  { outcome, after }: StaffQuery<'importRows'>,
  locale: Locale,
): Promise<StaffResponse<'importRows'>> {
  const found = await bulkRowsBelow(db.read, id, { below: after ?? null, most: shownRows, outcomes: outcome && [outcome] });
  const t = staffTranslate(locale);
  return {
    rows: found.map((row) => ({
      ...{ subject: row.subject, outcome: (row.outcome ?? 'unchanged') as ImportOutcome, line: linesOf(row)[0] ?? 0 },
      fields: (JSON.parse(row.fields) as Difference[]).slice(0, mostShownFields).map(({ path, from, to }) => ({
        field: path.join(' · '),
        from: from === undefined ? '' : shown(from),
        to: to === undefined ? '' : shown(to),
      })),
      problems: problemsOf(row).map((each) => ({ text: problemText(each, t), warning: each.values.warning === 1 })),
    })),
    next: found.length < shownRows ? null : (found.at(-1)?.no ?? null),
  };
}

/** The rows of things that have a problem, in the file's own columns, with what it is: as CSV. */
async function reportOf(db: Database, folder: string, { id, hash }: ImportRow, locale: Locale): Promise<string> {
  const { columns, rows } = await readSheet(join(folder, hash)).catch(() => ({ columns: [], rows: [] }));
  const said = await problemsByLine(db, id, locale);
  const told = rows.flatMap(({ line, cells }) => {
    const problems = said.get(line);
    return problems ? [[...columns.map((_, at) => cells[at] ?? ''), problems.join('; ')]] : [];
  });
  async function* pieces() {
    for (let from = 0; from < told.length; from += reportedAtOnce) yield told.slice(from, from + reportedAtOnce);
  }
  let csv = byteOrderMark;
  for await (const piece of csvOf([...columns, 'Problem'], pieces())) csv += piece;
  return csv;
}

async function problemsByLine(db: Database, id: string, locale: Locale): Promise<Map<number, string[]>> {
  const t = staffTranslate(locale);
  const said = new Map<number, string[]>();
  for (let below: number | null = null; ; ) {
    const part: BulkRow[] = await bulkRowsBelow(db.read, id, { below, most: 200 });
    for (const each of part) {
      const problems = problemsOf(each);
      if (problems.length === 0) continue;
      const lines = linesOf(each);
      for (const line of lines) said.set(line, said.get(line) ?? []);
      for (const one of problems) {
        const line = one.path[0] === 'rows' ? Number(one.path[1]) : (lines[0] ?? 0);
        said.set(line, [...(said.get(line) ?? []), problemText(one, t)]);
      }
    }
    below = part.at(-1)?.no ?? null;
    if (below === null) break;
  }
  return said;
}

const linesOf = ({ plan }: BulkRow): number[] => (plan === null ? [] : JSON.parse(plan).lines);
