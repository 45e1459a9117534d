/** What an import does in each of its states. Each goes on after the end of a process. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Problem, problem } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import { importOutcomes } from '#contract/staff/imports.ts';
import type { Reader, Trx } from '#db/database.ts';
import {
  type BulkChangeRow,
  type BulkRow,
  bulkOutcomes,
  bulkRowsBelow,
  dropBulkRows,
  moveBulkChange,
  type NewBulkRow,
  putBulkRows,
} from '#server/modules/changes/index.ts';
import { actorIn } from '#server/platform/actors.ts';
import { InputError } from '#server/platform/errors.ts';
import { NoAnswerError, SafeFetchError, StatusError } from '#server/platform/safe-fetch/safe-fetch.ts';
import {
  type Entry,
  type ImportKind,
  type ImportRun,
  isLost,
  isRefused,
  type Judged,
  type Made,
  type Mapping,
  nothingKnown,
  slugOf,
} from '../kinds/kind.ts';
import { forgetFailedPictures, picturesAt, putPictureAt } from '../kinds/picture-addresses.repository.ts';
import { placeOf, readSheet } from '../sheet/read-sheet.ts';
import { type ImportRow, importById, setImport } from './imports.repository.ts';
import {
  type About,
  type Counts,
  type ImportRunsDeps,
  kindOf,
  noCounts,
  optionsOf,
  type Plan,
  planOf,
  problemsOf,
} from './runs-deps.ts';

/** Rows are numbered down from here: work goes down. */
const firstNo = 1_000_000_000;
const judgedAtOnce = 20;
/** Of rows that are written in one transaction. */
const keptAtOnce = 60;
const fetchedAtOnce = 4;
const pictureBytes = 25 * 1024 * 1024;
const pictureMs = 20_000;
/** A site that left so many requests in a row unanswered is asked no more: the work of others waits behind an import. */
const mostUnanswered = 3;
/** After so many sites that do not answer, only those are asked that did: a file may name a new one in each row. */
const mostSilentSites = 12;
/** A fetch may take longer than work belongs to a process that says nothing. */
const ownEveryMs = 2000;
const action = 'import';
const noMade: Made = { brands: [], categories: [], tags: [] };

const applied = ['new', 'changed'];

export function registerImportPhases(deps: ImportRunsDeps): void {
  const { db, bulkChanges, kinds } = deps;
  const headOf = async (id: string, reader: Reader = db.read) => {
    const head = await importById(reader, id);
    if (!head) throw new Error(`No import ${id}`);
    return { head, kind: kindOf(kinds, head.kind), options: { ...optionsOf(head), id, file: head.file } };
  };
  bulkChanges.register('import', {
    action,
    phases: {
      judging: { run: async (row, own) => judge(deps, await headOf(row.id), own) },
      preparing: { run: async (row) => prepare(deps, row, await headOf(row.id)) },
      running: {
        next: 'pictures',
        async piece(change, { id, below }, size) {
          const { kind, options } = await headOf(id, change.trx);
          const rows = await bulkRowsBelow(change.trx, id, { below, most: size, outcomes: applied });
          return kind.apply(change, rows.map(plannedOf), options);
        },
      },
      pictures: {
        async run(row, own) {
          const head = await headOf(row.id);
          const fetching: Fetching = { unanswered: new Map(), isLost: false };
          const ask = () =>
            own().then(
              (isOwn) => {
                fetching.isLost = !isOwn;
              },
              () => undefined,
            );
          const asking = setInterval(ask, ownEveryMs);
          await head.kind.finish?.();
          await fetchPictures(deps, row, head, fetching).finally(() => clearInterval(asking));
        },
      },
      takingBack: {
        next: 'clearing',
        async piece(change, { id, below }, size) {
          const { kind, options } = await headOf(id, change.trx);
          return kind.takeBack(
            change,
            await bulkRowsBelow(change.trx, id, { below, most: size, outcomes: applied }),
            options,
          );
        },
      },
      clearing: {
        async run({ id, actor, key_name: key }) {
          const { head, kind } = await headOf(id);
          await kind.finish?.();
          const made: Made | null = head.made === null ? null : JSON.parse(head.made);
          if (made) await kind.clear?.(deps.changes.by(actorIn(actor, key ?? undefined), action), made);
          await db.transaction(async (trx) => {
            await setImport(trx, id, { made: null });
            await moveBulkChange(trx, id, { state: 'takenBack', owned_until: 0 });
          });
        },
      },
    },
  });
}

interface Head {
  head: ImportRow;
  kind: ImportKind;
  options: ImportRun;
}

const plannedOf = (row: BulkRow) => ({
  no: row.no,
  subject: row.subject,
  content: planOf(row).content,
  fields: JSON.parse(row.fields) as Difference[],
});

/** How far judging is. */
interface Judging {
  counts: Counts;
  no: number;
  /** Rows of the file. */
  done: number;
}

async function judge(
  deps: ImportRunsDeps,
  { head, kind, options }: Head,
  own: () => Promise<boolean>,
): Promise<void> {
  const { db, read, folder } = deps;
  const { id } = head;
  while ((await db.transaction((trx) => dropBulkRows(trx, id, 200))).length > 0) await setImmediate();
  await db.transaction(forgetFailedPictures);
  const { encoding }: About = JSON.parse(head.about);
  const recent = read.get(id);
  const sheet =
    recent?.about.encoding === encoding
      ? recent
      : await readSheet(join(folder, head.hash), encoding).catch((error: unknown) =>
          failed(deps, head, error),
        );
  read.delete(id);
  if (!sheet) return;
  const judging: Judging = { counts: structuredClone(noCounts), no: firstNo, done: 0 };
  const judges = kind.judge(options);
  let [entries, rows]: [Entry[], NewBulkRow[]] = [[], []];
  const mapping: Mapping = JSON.parse(head.mapping);
  const known = (await kind.known?.(sheet, mapping)) ?? nothingKnown;
  for (const entry of kind.read(
    sheet,
    mapping,
    {
      currency: await deps.currency(),
      now: deps.now(),
      decimal: options.decimal,
      timeZone: await deps.timeZone(),
    },
    known,
  )) {
    if (entry) entries.push(entry);
    if (entry && entries.length < judgedAtOnce) continue;
    rows.push(...judgedRows(judging, entries, await judges.of(entries)));
    entries = [];
    await setImmediate();
    if (rows.length < keptAtOnce) continue;
    if (!((await keepJudged(deps, head, judging, rows)) && (await own()))) return;
    rows = [];
  }
  rows.push(...judgedRows(judging, entries, await judges.of(entries)));
  if (!(await keepJudged(deps, head, judging, rows))) return;
  const { counts, no } = judging;
  const made = (await judges.made?.()) ?? noMade;
  counts.made = { brands: made.brands.length, categories: made.categories.length, tags: made.tags.length };
  await db.transaction(async (trx) => {
    if (!(await isAsJudged(trx, head))) return;
    await setImport(trx, id, { counts: JSON.stringify(counts) });
    await moveBulkChange(trx, id, { state: 'judged', total: firstNo - no, done: 0, owned_until: 0 }, [
      'judging',
    ]);
  });
}

function judgedRows(judging: Judging, entries: readonly Entry[], results: readonly Judged[]): NewBulkRow[] {
  return entries.map(({ subject, lines, content }, at) => {
    const judged: Judged = results[at] ?? { outcome: 'problem', fields: [], problems: [] };
    const { outcome, fields, problems, shows } = judged;
    judging.counts[outcome] += 1;
    judging.counts.warnings += problems.filter((each) => !isRefused([each]) && !isLost(each)).length;
    const lost = outcome === 'problem' ? [] : new Set(problems.filter(isLost).map(({ key }) => key));
    for (const key of lost)
      judging.counts.lost = { ...judging.counts.lost, [key]: (judging.counts.lost?.[key] ?? 0) + 1 };
    if (problems.some(({ key }) => key === 'problem.sheet.ambiguous'))
      judging.counts.ambiguous = (judging.counts.ambiguous ?? 0) + 1;
    judging.no -= 1;
    judging.done += lines.length;
    const plan: Plan = { lines, content, ...(shows ? { shows } : {}) };
    const texts = { plan: JSON.stringify(plan), fields: JSON.stringify(fields) };
    return {
      no: judging.no,
      subject,
      outcome,
      ...texts,
      problem: problems.length > 0 ? JSON.stringify(problems) : null,
    };
  });
}

/** False if somebody chose other columns, characters or options meanwhile. */
async function isAsJudged(trx: Trx, { id, mapping, options, kind, about }: ImportRow): Promise<boolean> {
  const now = await importById(trx, id);
  return (
    now?.state === 'judging' &&
    now.mapping === mapping &&
    now.options === options &&
    now.kind === kind &&
    now.about === about
  );
}

/** False if it is not judged as it was begun any more. */
function keepJudged(
  { db }: ImportRunsDeps,
  head: ImportRow,
  { done }: Judging,
  rows: readonly NewBulkRow[],
): Promise<boolean> {
  const { id } = head;
  return db.transaction(async (trx) => {
    if (!(await isAsJudged(trx, head))) return false;
    await putBulkRows(db, trx, id, rows);
    return moveBulkChange(trx, id, { done });
  });
}

async function failed({ db }: ImportRunsDeps, { id, about }: ImportRow, error: unknown): Promise<undefined> {
  const [first] = error instanceof InputError ? error.problems : [];
  const why: Problem = first ?? problem([], 'problem.sheet.gone');
  const told: About = { ...JSON.parse(about), problem: why };
  await db.transaction(async (trx) => {
    await setImport(trx, id, { about: JSON.stringify(told) });
    await moveBulkChange(trx, id, { state: 'failed', owned_until: 0 }, [
      'judging',
      'preparing',
      'running',
      'pictures',
    ]);
  });
}

async function* contentsOf({ db }: ImportRunsDeps, id: string): AsyncGenerator<unknown[]> {
  for (let below: number | null = null; ; ) {
    const rows: BulkRow[] = await bulkRowsBelow(db.read, id, { below, most: 100, outcomes: applied });
    if (rows.length === 0) return;
    yield rows.map((row) => planOf(row).content);
    await setImmediate();
    below = rows.at(-1)?.no ?? null;
  }
}

async function prepare(
  deps: ImportRunsDeps,
  { id, actor, key_name: key }: BulkChangeRow,
  { head, kind, options }: Head,
): Promise<void> {
  const { db, changes } = deps;
  const before: Made = head.made === null ? noMade : JSON.parse(head.made);
  // Its columns are remembered from here.
  await db.transaction(async (trx) => {
    await setImport(trx, id, { made: JSON.stringify(before) });
    // Of an import since this one was judged.
    await forgetFailedPictures(trx);
  });
  await kind.prepare?.(
    {
      run: changes.by(actorIn(actor, key ?? undefined), action),
      contents: contentsOf(deps, id),
      async keep(made) {
        const all: Made = {
          brands: [...before.brands, ...made.brands],
          categories: [...before.categories, ...made.categories],
          tags: [...before.tags, ...made.tags],
          blogs: [...(before.blogs ?? []), ...(made.blogs ?? [])],
        };
        await db.transaction((trx) => setImport(trx, id, { made: JSON.stringify(all) }));
      },
    },
    options,
  );
  const counts: Counts = JSON.parse(head.counts);
  await db.transaction((trx) =>
    moveBulkChange(trx, id, { state: 'running', below: null, done: 0, total: counts.new + counts.changed }, [
      'preparing',
    ]),
  );
}

interface Fetching {
  /** How many requests in a row each site left unanswered, by its host; none if it answered the last one. */
  unanswered: Map<string, number>;
  /** Another process has the import. */
  isLost: boolean;
}

async function fetchPictures(
  deps: ImportRunsDeps,
  change: BulkChangeRow,
  { head, kind, options }: Head,
  fetching: Fetching,
): Promise<void> {
  const { db, changes } = deps;
  const { id } = change;
  const { addressesOf } = kind;
  let { below } = change;
  const run = changes.by(actorIn(change.actor, change.key_name ?? undefined), action);
  while (addressesOf) {
    const rows = await bulkRowsBelow(db.read, id, { below, most: 20, outcomes: applied });
    if (rows.length === 0) break;
    const found = await addressesOf(
      db.read,
      rows.map((row) => planOf(row).content),
    );
    const wanted = rows.map((row, at) => [row, found[at] ?? []] as const);
    const dead = await fetchAll(
      deps,
      run,
      await missingOf(
        deps,
        wanted.flatMap(([, addresses]) => addresses),
      ),
      fetching,
    );
    if (fetching.isLost) return;
    for (const [row, addresses] of wanted) {
      if (addresses.length > 0)
        await showPictures(
          deps,
          run,
          { kind, options },
          row,
          addresses.flatMap((one) => deadAt(row, dead.get(one))),
        );
      await setImmediate();
    }
    below = rows.at(-1)?.no ?? below;
    await db.transaction((trx) => moveBulkChange(trx, id, { below }, ['pictures']));
  }
  // Some may have been refused, or were changed by others since they were judged.
  const found = new Map(
    (await bulkOutcomes(db.read, id)).map(({ outcome, count }) => [outcome, Number(count)]),
  );
  const counts: Counts = {
    ...JSON.parse(head.counts),
    ...Object.fromEntries(importOutcomes.map((each) => [each, found.get(each) ?? 0])),
  };
  await db.transaction(async (trx) => {
    await setImport(trx, id, { counts: JSON.stringify(counts) });
    await moveBulkChange(trx, id, { state: 'done', below: null, owned_until: 0 }, ['pictures']);
  });
}

/** Those of other sites that nobody has tried to fetch, and those whose picture was deleted since. */
async function missingOf({ db, media }: ImportRunsDeps, addresses: readonly string[]): Promise<string[]> {
  const tried = await picturesAt(db.read, addresses);
  const kept = await media.images([...tried.values()].filter(Boolean), db.read);
  return [...new Set(addresses)].filter((address) => {
    const file = tried.get(address);
    return /^https?:\/\//i.test(address) && (file === undefined || (file !== '' && !kept.has(file)));
  });
}

/** Writes a product once more, now that its pictures are there. */
function showPictures(
  { db }: ImportRunsDeps,
  run: Run,
  { kind, options }: Pick<Head, 'kind' | 'options'>,
  row: BulkRow,
  dead: readonly Problem[],
): Promise<void> {
  return run(async (change) => {
    const planned = { ...plannedOf(row), earlier: row };
    // Units are counted once: they may have been sold since.
    const [outcome] = await kind.apply(change, [planned], { ...options, place: null, dropVariants: false });
    const problems = [...problemsOf(row), ...(outcome?.problems ?? []), ...dead];
    const unique = [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()];
    change.note('product', row.subject, []);
    await putBulkRows(db, change.trx, row.change_id, [
      {
        no: row.no,
        subject: row.subject,
        undo: outcome?.undo === undefined ? null : JSON.stringify(outcome.undo),
        ...(outcome?.fields ? { fields: JSON.stringify(outcome.fields) } : {}),
        outcome: outcome?.outcome ?? null,
        problem: unique.length > 0 ? JSON.stringify(unique) : null,
      },
    ]);
  });
}

/** One line of the report, at the first row of its product. */
function deadAt(row: BulkRow, why: Problem | undefined): Problem[] {
  return why ? [{ ...why, path: placeOf(planOf(row).lines[0] ?? 0, String(why.values.address)) }] : [];
}

type Run = ReturnType<ImportRunsDeps['changes']['by']>;

/** Returns what is wrong with those that cannot be had. */
async function fetchAll(
  deps: ImportRunsDeps,
  run: Run,
  addresses: readonly string[],
  fetching: Fetching,
): Promise<Map<string, Problem>> {
  const dead = new Map<string, Problem>();
  const left = [...addresses];
  const worker = async () => {
    for (let address = left.shift(); address !== undefined && !fetching.isLost; address = left.shift()) {
      const why = await fetchOne(deps, run, address, fetching);
      if (why) dead.set(address, why);
    }
  };
  await Promise.all(Array.from({ length: fetchedAtOnce }, worker));
  return dead;
}

/** Stores of files call many pictures just bytes; its content says what a picture is. */
const isPictureType = (type: string) =>
  type.startsWith('image/') || type.endsWith('/octet-stream') || type === '';

function isGivenUp(unanswered: ReadonlyMap<string, number>, host: string): boolean {
  const here = unanswered.get(host);
  if (here !== undefined && (here === 0 || here >= mostUnanswered)) return here !== 0;
  return [...unanswered.values()].filter((requests) => requests > 0).length >= mostSilentSites;
}

async function fetchOne(
  { db, externalFetch, media }: ImportRunsDeps,
  run: Run,
  address: string,
  { unanswered }: Fetching,
): Promise<Problem | undefined> {
  const host = URL.parse(address)?.host ?? '';
  let isThere = false;
  try {
    if (isGivenUp(unanswered, host)) throw new NoAnswerError();
    const wanted = { url: address, accepts: isPictureType, maxBytes: pictureBytes, timeoutMs: pictureMs };
    const { body } = await externalFetch(wanted);
    isThere = true;
    unanswered.set(host, 0);
    const kind = await media.kindOf(body);
    const name = slugOf(new URL(address).pathname.split('/').at(-1)?.split('.')[0] || 'picture', 60);
    const file = `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 8)}.${kind}`;
    await media.addOriginal(run, file, body);
    await db.transaction((trx) => putPictureAt(trx, address, file));
    return undefined;
  } catch (error) {
    unanswered.set(host, error instanceof NoAnswerError ? (unanswered.get(host) ?? 0) + 1 : 0);
    await db.transaction((trx) => putPictureAt(trx, address, ''));
    const about = { address: address.slice(0, 300), warning: 1 } as const;
    if (isThere) return problem([], 'problem.sheet.notAPicture', about);
    return notDownloaded(error, about);
  }
}

const pictureProblems = {
  other: 'problem.sheet.picture',
  certificate: 'problem.sheet.picture.certificate',
  address: 'problem.sheet.picture.address',
  noAnswer: 'problem.sheet.picture.noAnswer',
  noHost: 'problem.sheet.picture.noHost',
  private: 'problem.sheet.picture.private',
  redirects: 'problem.sheet.picture.redirects',
} as const;

function notDownloaded(error: unknown, about: { address: string; warning: 1 }): Problem {
  if (error instanceof StatusError)
    return problem([], 'problem.sheet.picture.status', { ...about, status: error.status });
  const failure = error instanceof SafeFetchError ? error.failure : 'other';
  switch (failure) {
    case 'type':
      return problem([], 'problem.sheet.notAPicture', about);
    case 'tooLong':
      return problem([], 'problem.sheet.picture.tooLong', { ...about, limit: pictureBytes / 1024 / 1024 });
    default:
      return problem([], pictureProblems[failure], about);
  }
}
