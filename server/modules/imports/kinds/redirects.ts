/** Old addresses and where they lead, as Shopify and this shop export them: `Redirect from`, `Redirect to`. */
import Value from 'typebox/value';
import { type ProblemKey, problem } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { BulkOutcome, BulkRow, Change } from '#server/modules/changes/index.ts';
import { type ContentService, takenPageNames } from '#server/modules/content/index.ts';
import {
  plainPath,
  type Redirect,
  RedirectInput,
  type RedirectsService,
} from '#server/modules/settings/index.ts';
import type { Sheet } from '../sheet/read-sheet.ts';
import {
  type Entry,
  type ImportKind,
  isRefused,
  type Judge,
  type Judged,
  type Mapping,
  nameOfColumn,
  type PlannedRow,
  RowReader,
  rowsAtOnce,
  takenBackEach,
} from './kind.ts';
import type { ProductWorkDeps } from './product-work.ts';

export interface OwnPagesDeps {
  catalogue: CatalogueService;
  content: Pick<ContentService, 'pages'>;
  redirects: RedirectsService;
}
export interface RedirectWorkDeps extends Pick<ProductWorkDeps, 'db' | 'catalogueExport'>, OwnPagesDeps {}

export const createRedirectKind = (deps: RedirectWorkDeps): ImportKind<Redirect> => ({
  id: 'redirects',
  uses: [],
  fields: ['redirectFrom', 'redirectTo'],
  fieldOf,
  score,
  read,
  judge: () => judge(deps),
  apply: (change, rows) => apply(deps, change, rows),
  takeBack: (change, rows) => takeBack(deps, change, rows),
});

const names: Readonly<Record<string, string>> = {
  'redirect from': 'redirectFrom',
  'redirect to': 'redirectTo',
};

const fieldOf = (column: string) => names[nameOfColumn(column)] ?? null;

function score(columns: readonly string[]): number {
  const found = new Set(columns.map(fieldOf));
  return found.has('redirectFrom') && found.has('redirectTo') ? columns.length + 20 : 0;
}

function* read(sheet: Sheet, mapping: Mapping): Generator<Entry<Redirect> | null> {
  const reader = new RowReader(sheet, mapping);
  const targets = new Map<string, string>();
  const rows = sheet.rows.map((row) => {
    reader.row = row;
    const found = { from: reader.text('redirectFrom') ?? '', to: reader.text('redirectTo') ?? '' };
    const isRepeated = targets.has(plainPath(found.from));
    if (!isRepeated) targets.set(plainPath(found.from), found.to);
    return { row, isRepeated, ...found };
  });
  for (const [at, { row, isRepeated, from, to }] of rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    reader.row = row;
    const path = plainPath(from);
    const end = endOf(to, targets);
    if (!Value.Check(RedirectInput.properties.from, from))
      reader.refuse('redirectFrom', 'problem.sheet.address');
    else if (isRepeated) reader.refuse('redirectFrom', 'problem.sheet.redirectTwice');
    if (!Value.Check(RedirectInput.properties.to, to)) reader.refuse('redirectTo', 'problem.sheet.address');
    else if (path === plainPath(to)) reader.refuse('redirectTo', 'problem.redirect.same');
    else if (end === null) reader.refuse('redirectTo', 'problem.sheet.loop');
    const content = { from: path, to: end ?? to };
    yield { subject: from || '–', lines: [row.line], content, problems: reader.problems.splice(0) };
  }
}

/** Null for a loop. */
function endOf(to: string, targets: ReadonlyMap<string, string>): string | null {
  const passed = new Set<string>();
  let end = to;
  for (let next = targets.get(plainPath(end)); next !== undefined; next = targets.get(plainPath(end))) {
    if (passed.has(plainPath(end))) return null;
    passed.add(plainPath(end));
    end = next;
  }
  return end;
}

function judge(deps: RedirectWorkDeps): Judge<Redirect> {
  const known = ownPages(deps);
  const shop = deps.redirects.all().then((all) => new Map(all.map(({ from, to }) => [from, to])));
  return {
    async of(entries) {
      const [targets, pages] = await Promise.all([shop, known]);
      const ids = entries.flatMap(({ content }) => /^\/product\/([^/]+)$/.exec(content.from)?.[1] ?? []);
      const sold = (await deps.catalogueExport.stored(deps.db.read, ids)).filter(
        ({ facts }) => facts.status === 'active',
      );
      const products = new Set(sold.map(({ input }) => `/product/${input.id}`.toLowerCase()));
      const isOwn = (path: string) => pages.has(path) || products.has(path) || isRoute(path);
      return entries.map((entry) => judged(entry, targets, isOwn));
    },
  };
}

function judged(
  { content: { from, to }, lines, problems: read }: Entry<Redirect>,
  targets: ReadonlyMap<string, string>,
  isOwn: (path: string) => boolean,
): Judged {
  const before = targets.get(from);
  const end = targets.get(plainPath(to)) ?? to;
  const problems = [...read];
  const refuse = (column: string, key: ProblemKey) =>
    problems.push(
      problem(['rows', String(lines[0] ?? 0), column], key, {
        found: JSON.stringify(column === 'Redirect from' ? from : to),
      }),
    );
  if (isRefused(problems)) return { outcome: 'problem', fields: [], problems };
  if (before === end) return { outcome: 'unchanged', fields: [], problems };
  if (plainPath(end) === from) refuse('Redirect to', 'problem.sheet.loop');
  if (isOwn(from)) refuse('Redirect from', 'problem.sheet.ownAddress');
  if (isRefused(problems)) return { outcome: 'problem', fields: [], problems };
  const fields = [{ path: ['to'], ...(before === undefined ? {} : { from: before }), to: end }];
  return { outcome: before === undefined ? 'new' : 'changed', fields, problems };
}

/** Below them, an address without a page leads on. */
const leading = ['product', 'products', 'brand', 'tag', 'page', 'blog'];
const taken = new Set(takenPageNames.map((name) => name.toLowerCase()));

const isRoute = (path: string) => {
  const [, first = '', ...below] = path.split('/');
  return taken.has(first) && (below.length === 0 || !leading.includes(first));
};

/** Whether the shop answers at a path, or may do so by a product: nothing would lead on from there. */
export async function ownAddresses(deps: OwnPagesDeps): Promise<(path: string) => boolean> {
  const pages = await ownPages(deps);
  return (path) => pages.has(path) || isRoute(path) || /^\/(?:product|blog\/post)\//.test(path);
}

/** Where the shop itself answers, so that nothing would lead on, besides routes and products. */
async function ownPages({ catalogue, content }: OwnPagesDeps): Promise<Set<string>> {
  const { brands, categories, tags } = await catalogue.names();
  const all = [
    ...(await content.pages()).map(({ name }) => `/${name}`),
    ...[...brands.keys()].map((id) => `/brand/${id}`),
    ...[...categories.keys()].map((id) => `/products/${id}`),
    ...[...tags.keys()].map((id) => `/tag/${id}`),
  ];
  return new Set(all.map((path) => path.toLowerCase()));
}

async function apply(
  { redirects }: RedirectWorkDeps,
  change: Change,
  rows: readonly PlannedRow<Redirect>[],
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  for (const { no, subject, content, fields } of rows) {
    const { from } = content;
    const before = await redirects.changedBy(change.trx, from);
    await redirects.put(change, [{ from, to: String(fields[0]?.to) }]);
    const outcome = before.some((each) => each.from === from) ? 'changed' : 'new';
    outcomes.push({ no, subject, outcome, fields, undo: before });
  }
  return outcomes;
}

const takeBack = (
  { redirects }: RedirectWorkDeps,
  change: Change,
  rows: readonly BulkRow[],
): Promise<BulkOutcome[]> =>
  takenBackEach(rows, ({ plan, fields, undo }) => {
    const { content }: { content: Redirect } = JSON.parse(plan ?? '{}');
    const [set]: Difference[] = JSON.parse(fields);
    return redirects.restore(change, { from: content.from, to: String(set?.to) }, JSON.parse(undo ?? '[]'));
  });
