/** Imports of files: sent, judged without changing anything, applied in pieces, taken back. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { warehouse } from '#contract/limits.ts';
import { type Locale, mainLocale } from '#contract/locales.ts';
import { problem, problemText } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { StaffBody, StaffQuery, StaffResponse } from '#contract/staff/endpoints.ts';
import {
  type ImportAnswer,
  type ImportOutcome,
  type ImportState,
  mostImportBytes,
  type SheetEncoding,
} from '#contract/staff/imports.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { textPermissions } from '#contract/staff/permissions.ts';
import type { Database } from '#db/database.ts';
import {
  addBulkChange,
  type BulkRow,
  bulkRowsBelow,
  dropBulkRows,
  moveBulkChange,
} from '#server/modules/changes/index.ts';
import type { CustomerImportData } from '#server/modules/customers/index.ts';
import { actorText, keyOf } from '#server/platform/actors.ts';
import { csvOf } from '#server/platform/csv.ts';
import { AppError, InputError, notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { mappingOf, recognised, refusedFile } from '../kinds/import-kinds.ts';
import { type ImportKind, type ImportOptions, type Mapping, nameOfColumn } from '../kinds/kind.ts';
import { readSheet, type Sheet } from '../sheet/read-sheet.ts';
import { registerImportPhases } from './import-phases.ts';
import { askedOf, differenceWords, lostWords, postWords, shownWords, type Wording } from './import-words.ts';
import {
  addImport,
  dropRowAbout,
  hashesOf,
  type ImportRow,
  importById,
  importLike,
  importsBefore,
  isHashUsed,
  latestImports,
  rowsAbout,
  setImport,
} from './imports.repository.ts';
import {
  type About,
  type Counts,
  type ImportRunsDeps,
  kindOf,
  noCounts,
  optionsOf,
  planOf,
  problemsOf,
} from './runs-deps.ts';

const takeBackMs = 30 * dayMs;
/** Of one person, within that time. */
const mostFiles = 200;
const mostBytes = 20 * mostImportBytes;
const shownRows = 50;
const mostShownFields = 30;
const reportedAtOnce = 500;

const shownImports = 20;

type Importer = Permit<'goods.import'>;
const isReached = (permit: Importer, place: string) => permit.reaches(place === warehouse ? null : place);
/** People belong to no store, and have a permission of their own. */
const maySeePeople = (permit: Importer, kind: ImportKind) =>
  !isOfPeople(kind) || (permit.reaches(null) && permit.has('customers.import'));
/** Posts are published with the permissions of posts. */
const maySee = (permit: Importer, kind: ImportKind) =>
  maySeePeople(permit, kind) &&
  (!kind.uses.includes('texts') || permit.has('content.write')) &&
  (!kind.uses.includes('content') || (permit.has('content.write') && permit.has('content.publish')));
const placesFor = ({ uses }: ImportKind, place: string | null, reached: readonly string[]) =>
  uses.includes('places') ? reached : place === null || !uses.includes('place') ? [] : [place];

const textsFor = ({ uses }: ImportKind, permit: Importer) =>
  uses.includes('texts') ? textPermissions.filter((each) => permit.has(each)) : [];

export type ImportRuns = ReturnType<typeof createImportRuns>;

export function createImportRuns(deps: ImportRunsDeps) {
  const { db, now, bulkChanges, kinds } = deps;
  registerImportPhases(deps);
  const { stateOf, answer, stored, ...views } = createImportViews(deps);

  /** Moves it on, if it is in one of these states. What is then done is theirs whose permit it is, whoever sent the file. */
  async function move(
    permit: Importer,
    id: string,
    to: string,
    from: readonly string[],
    locale: Locale,
  ): Promise<ImportState> {
    await db.transaction((trx) =>
      moveBulkChange(trx, id, { state: to, below: null, done: 0, ...doerOf(permit) }, from),
    );
    return stateOf(await stored(id), locale);
  }

  /** @throws {AppError} 404 if its units may be counted at a place, or its texts be of something, that the permit does not reach */
  async function requireReach(permit: Importer, id: string): Promise<ImportRow> {
    const row = await see(permit, id);
    const { places, may } = optionsOf(row);
    if (!places.every((place) => isReached(permit, place)) || !may.every((each) => permit.has(each)))
      throw notFound();
    return row;
  }

  /** @throws {AppError} 404 for a file about people, which staff of some stores may not see */
  async function see(permit: Importer, id: string): Promise<ImportRow> {
    const row = await stored(id);
    if (!maySee(permit, kindOf(kinds, row.kind))) throw notFound();
    return row;
  }

  /** Without the kinds of files that the permit does not reach. */
  const forPermit = (permit: Importer, shownTo: ImportAnswer): ImportAnswer => ({
    ...shownTo,
    kinds: shownTo.kinds.filter((id) => maySee(permit, kindOf(kinds, id))),
  });

  return {
    ...views,
    see,
    /** @throws {AppError} for a file that is too large; {InputError} for one that is no spreadsheet */
    upload: async (permit: Importer, name: string, body: Readable, locale: Locale): Promise<ImportAnswer> =>
      forPermit(permit, answer(await stored(await upload(deps, permit, name, body)), locale)),
    async latest(permit: Importer, locale: Locale): Promise<StaffResponse<'imports'>> {
      const rows = await latestImports(db.read, shownImports);
      return {
        imports: rows
          .filter(({ kind }) => maySee(permit, kindOf(kinds, kind)))
          .map((row) => stateOf(row, locale)),
      };
    },
    async change(
      permit: Importer,
      id: string,
      body: StaffBody<'changeImport'>,
      locale: Locale,
    ): Promise<ImportAnswer> {
      await change(deps, permit, await see(permit, id), body);
      return forPermit(permit, answer(await stored(id), locale));
    },
    /**
     * `seen`: the version that its sender was shown; without it, as it is.
     * @throws {AppError} FORBIDDEN for invitations to people, unless password and code were just shown (`isFresh`); CONFLICT if somebody
     * has chosen otherwise since
     */
    async apply(
      permit: Importer,
      id: string,
      locale: Locale,
      { isFresh = permit.actor.kind !== 'staff', seen }: { isFresh?: boolean; seen?: string } = {},
    ): Promise<ImportState> {
      const row = await requireReach(permit, id);
      const invites = isOfPeople(kindOf(kinds, row.kind)) && optionsOf(row).invite;
      if (invites && !isFresh) throw new AppError('FORBIDDEN', { errorKey: 'staff.confirmNeeded' });
      await db.transaction(async (trx) => {
        const now = await importById(trx, id);
        if (!now || !isWaiting(now)) return;
        if (seen !== undefined && versionOf(now) !== seen)
          throw new AppError('CONFLICT', { errorKey: 'import.otherwise' });
        await moveBulkChange(trx, id, { state: 'preparing', below: null, done: 0, ...doerOf(permit) }, [
          'judged',
        ]);
      });
      return stateOf(await stored(id), locale);
    },
    /** With what was read of the file. */
    async stop(permit: Importer, id: string, locale: Locale): Promise<ImportState> {
      const row = await see(permit, id);
      const state = await move(permit, id, 'stopped', ['judging', 'judged'], locale);
      if (state.state === 'stopped') await discard(deps, row, 'stopped');
      return state;
    },
    async takeBack(permit: Importer, id: string, locale: Locale): Promise<ImportState> {
      const row = await requireReach(permit, id);
      const isOld = now() - row.uploaded_at >= takeBackMs;
      return isOld ? stateOf(row, locale) : move(permit, id, 'takingBack', ['done'], locale);
    },
    work: () => bulkChanges.work(),
    prune: () => prune(deps),
  };
}

/** After the time in which an import can be taken back, only what its columns were read as is kept. */
async function prune(deps: ImportRunsDeps): Promise<void> {
  for (const row of await importsBefore(deps.db.read, deps.now() - takeBackMs))
    await discard(deps, row, 'expired');
}

/** Deletes the file and its rows. What its columns were read as stays. */
async function discard(
  { db, now, folder }: ImportRunsDeps,
  { id, hash, about }: ImportRow,
  state: string,
): Promise<void> {
  while ((await db.transaction((trx) => dropBulkRows(trx, id, 200))).length > 0);
  await db.transaction(async (trx) => {
    await setImport(trx, id, { about: withoutExamples(about) });
    await moveBulkChange(trx, id, { state });
  });
  if (!(await isHashUsed(db.read, hash, now() - takeBackMs))) await rm(join(folder, hash), { force: true });
}

/** @throws {AppError} CONFLICT for somebody whose files take all the room that a person has */
/** Who a run is noted of: a person, and the key that they made for a program. */
const doerOf = ({ actor }: Importer) => ({ actor: actorText(actor), key_name: keyOf(actor) });

async function requireRoom({ db, now, folder }: ImportRunsDeps, { actor }: Importer): Promise<void> {
  if (actor.kind !== 'staff') return;
  const hashes = new Set(await hashesOf(db.read, actorText(actor), now() - takeBackMs));
  const sizes = await Promise.all(
    [...hashes].map((hash) =>
      stat(join(folder, hash)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  if (hashes.size >= mostFiles || sizes.reduce((sum, size) => sum + size, 0) >= mostBytes)
    throw new AppError('CONFLICT', { errorKey: 'import.noRoom' });
}

/** Returns the id of the import. */
async function upload(deps: ImportRunsDeps, permit: Importer, name: string, body: Readable): Promise<string> {
  const { db, now, folder } = deps;
  await requireRoom(deps, permit);
  const { hash, part } = await receive(folder, body);
  const sheet = await readSheet(part).catch(async (error: unknown) => {
    await rm(part, { force: true });
    throw error;
  });
  // By its content, once it can be read: others may be sending the same file.
  await rename(part, join(folder, hash));
  const id = randomUUID();
  const head = await headOf(deps, permit, sheet);
  const bulk = {
    id,
    kind: 'import',
    started_at: now(),
    ...doerOf(permit),
    found_by: '{}',
    change: '{}',
    state: 'judging',
    below: null,
    total: sheet.rows.length,
    done: 0,
    owner: null,
    owned_until: 0,
  };
  await db.transaction(async (trx) => {
    await addBulkChange(trx, bulk);
    await addImport(trx, {
      id,
      file: name,
      hash,
      made: null,
      uploaded_at: now(),
      counts: JSON.stringify(noCounts),
      ...head,
    });
  });
  remember(deps, id, sheet);
  return id;
}

/** For judging. One at most: it is large. */
function remember({ read }: ImportRunsDeps, id: string, sheet: Sheet): void {
  read.clear();
  read.set(id, sheet);
}

/** @throws {AppError} 404 if units are to be counted at a place that the permit does not reach */
async function change(
  deps: ImportRunsDeps,
  permit: Importer,
  before: ImportRow,
  body: StaffBody<'changeImport'>,
): Promise<void> {
  const { db, kinds, places } = deps;
  const kind = kindOf(kinds, body.kind);
  if (!maySee(permit, kind)) throw notFound();
  const row = await inEncoding(deps, before, body.encoding ?? null);
  const known = new Set(kind.fields);
  const columns: string[] = JSON.parse(row.columns);
  const chosen = body.fields
    .slice(0, columns.length)
    .flatMap((field, at) => (field !== null && known.has(field) ? [[at, field]] : []));
  // Another kind reads the columns by its own names.
  const isAsRead = body.kind === row.kind && row === before;
  const mapping = isAsRead ? Object.fromEntries(chosen) : mappingOf(kind, columns);
  const { language, place, dropVariants, invite, drafts, decimal } = body;
  const reached = (await places()).filter((each) => isReached(permit, each));
  if (place !== null && !reached.includes(place)) throw notFound();
  const options: ImportOptions = {
    language,
    place,
    places: placesFor(kind, place, reached),
    may: textsFor(kind, permit),
    dropVariants,
    invite,
    drafts,
    decimal,
  };
  await db.transaction(async (trx) => {
    const open = ['judging', 'judged'];
    if (await moveBulkChange(trx, row.id, { state: 'judging', below: null, done: 0 }, open))
      await setImport(trx, row.id, {
        ...(row === before ? {} : { columns: row.columns, fingerprint: row.fingerprint, about: row.about }),
        kind: kind.id,
        mapping: JSON.stringify(mapping),
        options: JSON.stringify(options),
      });
  });
}

/** The file read with these characters; as it is if they are the same. */
async function inEncoding(
  deps: ImportRunsDeps,
  row: ImportRow,
  encoding: SheetEncoding | null,
): Promise<ImportRow> {
  const about: About = JSON.parse(row.about);
  if (encoding === null || encoding === about.encoding) return row;
  const sheet = await readSheet(join(deps.folder, row.hash), encoding);
  remember(deps, row.id, sheet);
  const told: About = {
    ...about,
    ...sheet.about,
    rows: sheet.rows.length,
    examples: examplesOf(sheet),
    remembered: false,
  };
  return {
    ...row,
    columns: JSON.stringify(sheet.columns),
    fingerprint: fingerprintOf(sheet.columns),
    about: JSON.stringify(told),
  };
}

/** Not applied yet: an answer that was lost is given again. */
const isWaiting = ({ state }: ImportRow) => state === 'judging' || state === 'judged';

/** Of what was chosen and what came of it. */
const versionOf = ({ kind, mapping, options, about, counts }: ImportRow) =>
  createHash('sha256')
    .update(JSON.stringify([kind, mapping, options, (JSON.parse(about) as About).encoding, counts]))
    .digest('base64url')
    .slice(0, 16);

const fingerprintOf = (columns: readonly string[]) =>
  createHash('sha256').update(columns.map(nameOfColumn).join('\n')).digest('hex');

/** Of each column the first cell that is not empty. */
const examplesOf = ({ columns, rows }: Sheet) =>
  columns.map((_, at) => (rows.find(({ cells }) => (cells[at] ?? '') !== '')?.cells[at] ?? '').slice(0, 80));

async function receive(folder: string, body: Readable): Promise<{ hash: string; part: string }> {
  await mkdir(folder, { recursive: true });
  const part = join(folder, `${randomUUID()}.part`);
  const hash = createHash('sha256');
  let size = 0;
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > mostImportBytes) throw new AppError('PAYLOAD_TOO_LARGE', { errorKey: 'error.tooLarge' });
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(body, measured, createWriteStream(part));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { hash: hash.digest('hex'), part };
}

/**
 * What its columns are read as: as the last file with the same header, else as they are recognised.
 * @throws {AppError} FORBIDDEN for posts, if the permit may not publish them
 */
async function headOf({ db, ...deps }: ImportRunsDeps, permit: Importer, sheet: Sheet) {
  const { columns, about, rows } = sheet;
  const kinds = deps.kinds.filter((kind) => maySee(permit, kind));
  // Read as another kind, its posts would be products.
  const found = recognised(deps.kinds, columns);
  if (found?.uses.includes('content') && !maySee(permit, found)) throw new AppError('FORBIDDEN');
  const refused = refusedFile(columns);
  if (refused) throw new InputError([problem([], refused)]);
  const fingerprint = fingerprintOf(columns);
  const like = await importLike(db.read, fingerprint);
  const kind = kinds.find(({ id }) => id === like?.kind) ?? recognised(kinds, columns);
  if (!kind) throw new InputError([problem([], 'problem.sheet.empty')]);
  const reached = (await deps.places()).filter((place) => isReached(permit, place));
  // Stock is counted where the file or somebody says.
  const isAsked = kind.id === 'stock' && reached.length > 1;
  const usual = { language: mainLocale(), place: isAsked ? null : (reached[0] ?? null) };
  const before: Pick<ImportOptions, 'language' | 'place'> = like ? optionsOf(like) : usual;
  // A store may have been closed since.
  const place = before.place === null || reached.includes(before.place) ? before.place : usual.place;
  const places = placesFor(kind, place, reached);
  const options: ImportOptions = {
    language: before.language,
    place,
    places,
    may: textsFor(kind, permit),
    dropVariants: false,
    invite: false,
    drafts: false,
    decimal: null,
  };
  const mapping = like ? like.mapping : JSON.stringify(mappingOf(kind, columns));
  const told: About = {
    ...about,
    rows: rows.length,
    examples: examplesOf(sheet),
    remembered: like !== undefined,
  };
  return {
    columns: JSON.stringify(columns),
    fingerprint,
    kind: kind.id,
    mapping,
    options: JSON.stringify(options),
    about: JSON.stringify(told),
  };
}

/** What people are shown of imports. */
function createImportViews({ db, now, kinds, folder, currency, timeZone }: ImportRunsDeps) {
  async function stored(id: string): Promise<ImportRow> {
    const row = await importById(db.read, id);
    if (!row) throw notFound();
    return row;
  }

  const stateOf = (row: ImportRow, locale: Locale): ImportState => {
    const { warnings, made: _made, lost: _lost, ...counts }: Counts = JSON.parse(row.counts);
    const { problem: why }: About = JSON.parse(row.about);
    return {
      id: row.id,
      file: row.file,
      uploadedAt: row.uploaded_at,
      total: row.total,
      done: row.done,
      kind: row.kind as ImportState['kind'],
      state: row.state as ImportState['state'],
      counts,
      warnings,
      problem: why ? problemText(why, staffTranslate(locale)) : null,
      canTakeBack: row.state === 'done' && now() - row.uploaded_at < takeBackMs,
    };
  };

  function answer(row: ImportRow, locale: Locale): ImportAnswer {
    const { format, encoding, delimiter, rows, examples, remembered }: About = JSON.parse(row.about);
    const mapping: Mapping = JSON.parse(row.mapping);
    const columns: string[] = JSON.parse(row.columns);
    const kind = kinds.find(({ id }) => id === row.kind);
    const { places: _places, may: _may, ...options } = optionsOf(row);
    const counts: Counts = JSON.parse(row.counts);
    return {
      ...stateOf(row, locale),
      about: { format, encoding, delimiter },
      rows,
      remembered,
      kinds: kinds.map(({ id }) => id),
      fields: [...(kind?.fields ?? [])],
      uses: [...(kind?.uses ?? [])],
      columns: columns.map((name, at) => ({ name, field: mapping[at] ?? null, example: examples[at] ?? '' })),
      options,
      made: counts.made,
      lost: lostWords(counts.lost, staffTranslate(locale)),
      asks: kind && row.state === 'judged' ? askedOf(kind, mapping, counts, options.place) : [],
      version: versionOf(row),
    };
  }

  return {
    stored,
    stateOf,
    answer,
    read: async (id: string, locale: Locale): Promise<ImportAnswer> => answer(await stored(id), locale),
    rows: async (id: string, query: StaffQuery<'importRows'>, locale: Locale) =>
      rowsOf(db, await stored(id), query, {
        t: staffTranslate(locale),
        locale,
        currency: await currency(),
        timeZone: await timeZone(),
      }),
    report: async (id: string, locale: Locale) => reportOf(db, folder, await stored(id), locale),
  };
}

async function rowsOf(
  db: Database,
  { id }: ImportRow,
  { outcome, after }: StaffQuery<'importRows'>,
  wording: Wording,
): Promise<StaffResponse<'importRows'>> {
  const found = await bulkRowsBelow(db.read, id, {
    below: after ?? null,
    most: shownRows,
    outcomes: outcome && [outcome],
  });
  return {
    rows: found.map((row) => {
      const { lines, shows } = planOf(row);
      return {
        subject: row.subject,
        outcome: (row.outcome ?? 'unchanged') as ImportOutcome,
        line: lines[0] ?? 0,
        fields: (JSON.parse(row.fields) as Difference[])
          .slice(0, mostShownFields)
          .map((each) => differenceWords(each, wording)),
        shows: shows && row.outcome === 'new' && !('address' in shows) ? shownWords(shows, wording) : null,
        post: shows && row.outcome === 'new' && 'address' in shows ? postWords(shows, wording) : null,
        problems: problemsOf(row).map((each) => ({
          text: problemText(each, wording.t),
          warning: each.values.warning === 1,
        })),
      };
    }),
    next: found.length < shownRows ? null : (found.at(-1)?.no ?? null),
  };
}

/** The rows of things that have a problem, in the file's own columns, with what it is: as CSV. */
async function reportOf(
  db: Database,
  folder: string,
  { id, hash, about }: ImportRow,
  locale: Locale,
): Promise<string> {
  const { columns, rows } = await readSheet(join(folder, hash), (JSON.parse(about) as About).encoding).catch(
    () => ({
      columns: [],
      rows: [],
    }),
  );
  const said = await problemsByLine(db, id, locale);
  const told = rows.flatMap(({ line, cells }) => {
    const problems = said.get(line);
    return problems ? [[...columns.map((_, at) => cells[at] ?? ''), problems.join('; ')]] : [];
  });
  async function* pieces() {
    for (let from = 0; from < told.length; from += reportedAtOnce)
      yield told.slice(from, from + reportedAtOnce);
  }
  let csv = '';
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
      const { lines } = planOf(each);
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

/** What files say of one person, for as long as they are kept: until they can no longer be taken back. */
const isOfPeople = ({ uses }: ImportKind) => uses.includes('people');

/** They are of somebody. */
function withoutExamples(about: string): string {
  const told: About = { ...JSON.parse(about), examples: [] };
  return JSON.stringify(told);
}

export function createImportsOfPeople({ db, kinds, folder }: ImportRunsDeps): CustomerImportData {
  const ids = kinds.filter(isOfPeople).map(({ id }) => id);
  return {
    async about(email) {
      const rows = await rowsAbout(db.read, ids, emailKeyOf(email));
      return rows.map(({ plan, uploaded_at }) => ({
        at: uploaded_at,
        content: JSON.parse(plan ?? '{}').content,
      }));
    },
    async forget(trx, email) {
      for (const { change_id: id, no, hash, about } of await rowsAbout(trx, ids, emailKeyOf(email))) {
        await dropRowAbout(trx, id, no);
        await setImport(trx, id, { about: withoutExamples(about) });
        // What was read of it is in the rows: it can still be imported.
        await rm(join(folder, hash), { force: true });
      }
    },
  };
}
