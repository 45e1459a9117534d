/** Changes of many products at once, and taking back what such a change, or an import, has set of them. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { priceEnding } from '#contract/money.ts';
import { type Problem, problem, problemText } from '#contract/problems.ts';
import { type Difference, differences, type Edit, edited, isEqual, valueAt } from '#contract/rules/patch.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { GoodsChange, GoodsChangeState, GoodsRow } from '#contract/staff/goods.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import {
  addBulkChange,
  type BulkChangeRow,
  type BulkChanges,
  type BulkOutcome,
  bulkChangeById,
  bulkProblems,
  bulkRowsBelow,
  type Change,
  isBulkChangeSince,
  latestBulkChanges,
  moveBulkChange,
  putBulkRows,
} from '#server/modules/changes/index.ts';
import { type Actor, actorText, keyOf } from '#server/platform/actors.ts';
import { InputError, notFound, OperationError } from '#server/platform/errors.ts';
import { transactOnce } from '#server/platform/request-keys/request-keys.ts';
import { eachTried, foresee, isTrialled } from '#server/platform/trials.ts';
import type { CatalogueEditor } from '../products/catalogue.editor.ts';
import { storedProducts, type WholeProduct } from '../products/catalogue-export.ts';
import type { ProductInput } from '../products/product-input.ts';
import { goodsNos, goodsNosOf, goodsOf } from './goods.repository.ts';
import { foundBy, type OfficeGoodsDeps } from './office-goods.ts';

const plannedAtOnce = 200;
const bulkAction = 'products bulk';
/** What a trial says one by one. */
const foreseenAtMost = 200;
const shownChanges = 10;
const shownProblems = 200;

export type GoodsChanges = ReturnType<typeof createGoodsChanges>;

export function createGoodsChanges(deps: Deps) {
  const { db, catalogue, bulkChanges } = deps;
  registerPhases(deps);

  async function stateOf(row: BulkChangeRow, locale: Locale): Promise<GoodsChangeState> {
    const { id, started_at: startedAt, total, done } = row;
    const problems = await bulkProblems(db.read, id, shownProblems);
    return {
      id,
      startedAt,
      state: row.state as GoodsChangeState['state'],
      total,
      done,
      problems: problems.flatMap((each) => {
        const [first]: Problem[] = [JSON.parse(each.problem ?? '[]')].flat();
        return first ? [{ product: each.subject, problem: said(first, locale) }] : [];
      }),
    };
  }

  async function stored(id: string): Promise<BulkChangeRow> {
    const row = await bulkChangeById(db.read, id);
    if (row?.kind !== 'goods') throw notFound();
    return row;
  }

  return {
    /** @throws {OperationError} if somebody began another one that the caller had not seen */
    async begin(
      actor: Actor,
      { filter, ids, change, latest }: StaffBody<'changeGoods'>,
      locale: Locale,
    ): Promise<GoodsChangeState> {
      const { currency } = await deps.settings.all();
      const nos = await goodsNos(db, ids ? { ids } : await foundBy(catalogue, filter));
      const texts = { found_by: JSON.stringify({ nos }), change: JSON.stringify({ ...change, currency }) };
      const what = { id: randomUUID(), total: nos.length, ...texts };
      return stateOf(await started(deps, actor, what, { latest }), locale);
    },

    /** Those that are not there any more are left out. */
    async beginRows(actor: Actor, rows: readonly GoodsRow[], locale: Locale): Promise<GoodsChangeState> {
      const id = randomUUID();
      const total = await planRows(deps, id, rows);
      const texts = { found_by: JSON.stringify({ rows: true }), change: '{}' };
      return stateOf(await started(deps, actor, { id, total, ...texts }), locale);
    },

    latest: async (locale: Locale): Promise<StaffResponse<'goodsChanges'>> => ({
      changes: await Promise.all(
        (await latestBulkChanges(db.read, ['goods'], shownChanges)).map((row) => stateOf(row, locale)),
      ),
    }),

    /** @throws {AppError} 404; one that is not done, or was taken back, stays as it is */
    async takeBack(actor: Actor, id: string, locale: Locale): Promise<GoodsChangeState> {
      const row = await stored(id);
      const taking = {
        state: 'takingBack',
        below: null,
        done: 0,
        actor: actorText(actor),
        key_name: keyOf(actor),
      };
      await db.transaction(async (trx) => {
        await moveBulkChange(trx, id, taking, ['done']);
        if (!isTrialled()) return;
        const rows = await bulkRowsBelow(trx, id, { below: null, most: foreseenAtMost });
        foreseePiece(trx, row, await takenBack(deps, trx, rows));
      });
      return stateOf(await stored(id), locale);
    },

    /** For an import, which keeps its rows itself. */
    write: (change: Change, outcomes: readonly Outcome[]) => write(deps.editor, change, outcomes),
    takenBack: (trx: Change['trx'], rows: Parameters<typeof takenBack>[2]) => takenBack(deps, trx, rows),
    work: () => bulkChanges.work(),
  };
}

function registerPhases(deps: Deps): void {
  const { bulkChanges } = deps;
  bulkChanges.register('goods', {
    action: bulkAction,
    phases: {
      running: {
        next: 'done',
        piece: (change, row, size) => written(deps, change, () => planned(deps, change.trx, row, size)),
      },
      takingBack: {
        next: 'takenBack',
        piece: (change, row, size) =>
          written(deps, change, async () => takenBack(deps, change.trx, await rowsOf(change, row, size))),
      },
    },
  });
}

type Deps = OfficeGoodsDeps & { bulkChanges: BulkChanges };

const rowsOf = ({ trx }: Change, { id, below }: BulkChangeRow, most: number) =>
  bulkRowsBelow(trx, id, { below, most });

/** What becomes of a product: it is written if it has an `after`. */
export interface Outcome extends BulkOutcome {
  fields: Difference[];
  after?: ProductInput;
}

async function written(
  deps: Pick<Deps, 'editor'>,
  change: Change,
  plan: () => Promise<Outcome[]>,
): Promise<Outcome[]> {
  await deps.editor.lock(change.trx);
  const outcomes = await plan();
  await write(deps.editor, change, outcomes);
  return outcomes;
}

async function planned(deps: Deps, trx: Change['trx'], row: BulkChangeRow, size: number): Promise<Outcome[]> {
  const { rows, nos = [] }: { rows?: true; nos?: number[] } = JSON.parse(row.found_by);
  if (rows) return plannedRows(deps, trx, row, size);
  const left = nos.filter((no) => no < (row.below ?? Number.POSITIVE_INFINITY)).slice(0, size);
  const next = await goodsOf(deps.db, left);
  // A change that an earlier version has begun names no currency.
  const { currency = (await deps.settings.all()).currency, ...wanted }: GoodsChange & { currency?: string } =
    JSON.parse(row.change);
  const stored = await byId(
    deps,
    trx,
    next.map(({ id }) => id),
  );
  return next.flatMap(({ no, id }) => {
    const input = stored.get(id)?.input;
    if (!input) return [];
    const after = changed(input, wanted, currency);
    return [{ no, subject: id, after, fields: differences(input, after) }];
  });
}

async function started(
  deps: Deps,
  actor: Actor,
  what: Pick<BulkChangeRow, 'id' | 'total' | 'found_by' | 'change'>,
  seen?: { latest: string | null },
) {
  const { db, now, editor } = deps;
  const state = { state: 'running', below: null, done: 0, owner: null, owned_until: 0 };
  const row = {
    ...what,
    ...state,
    kind: 'goods',
    started_at: now(),
    actor: actorText(actor),
    key_name: keyOf(actor),
  };
  await transactOnce(db, async (trx) => {
    if (seen) {
      await editor.lock(trx);
      if (await isBulkChangeSince(trx, 'goods', seen.latest))
        throw new OperationError('error.goods.changedMany');
    }
    await addBulkChange(trx, row);
    // Rows of their own values were said when they were kept.
    if (!isTrialled()) return;
    if (seen) foreseePiece(trx, row, await planned(deps, trx, row, foreseenAtMost));
    else foresee(trx, []);
  });
  return row;
}

/** Says the first of what a change of many will do, and of how many. */
function foreseePiece(
  trx: Change['trx'],
  { total }: Pick<BulkChangeRow, 'total'>,
  outcomes: readonly Outcome[],
) {
  const changing = outcomes.filter(({ fields }) => fields.length > 0);
  const things = changing.map(({ subject, fields }) => ({
    action: bulkAction,
    kind: 'product',
    id: subject,
    fields: fields.map(({ path, from, to }) => ({ field: path.join('.'), from, to })),
  }));
  foresee(trx, things, { more: Math.max(0, total - outcomes.length) });
}

/** Keeps what each is to become. Returns how many are there. */
async function planRows(deps: Deps, change: string, rows: readonly GoodsRow[]): Promise<number> {
  const { db } = deps;
  // A trial says each of them.
  if (isTrialled() && rows.length > plannedAtOnce)
    throw new OperationError('staff.trial.many', { most: plannedAtOnce });
  const wanted = new Map(rows.map((row) => [row.id, row]));
  const nos = await goodsNosOf(db, [...wanted.keys()]);
  const planned = [...wanted.values()].flatMap((row) => {
    const no = nos.get(row.id);
    return no === undefined
      ? []
      : [{ no, subject: row.id, fields: '[]', plan: JSON.stringify(editsOf(row)) }];
  });
  for (let start = 0; start < planned.length; start += plannedAtOnce)
    await eachTried(
      () =>
        transactOnce(db, async (trx) => {
          await putBulkRows(db, trx, change, planned.slice(start, start + plannedAtOnce));
          if (isTrialled())
            foreseePiece(
              trx,
              { total: 0 },
              await plannedRows(deps, trx, { id: change, below: null }, plannedAtOnce),
            );
        }),
      undefined,
    );
  return planned.length;
}

async function plannedRows(
  deps: Deps,
  trx: Change['trx'],
  { id: change, below }: Pick<BulkChangeRow, 'id' | 'below'>,
  size: number,
): Promise<Outcome[]> {
  const rows = await bulkRowsBelow(trx, change, { below, most: size });
  const stored = await byId(
    deps,
    trx,
    rows.map(({ subject }) => subject),
  );
  return rows.map(({ no, subject, plan }) => {
    const input = stored.get(subject)?.input;
    if (!input) return { no, subject, fields: [], problems: [problem([], 'problem.touched')] };
    const after = edited(input, JSON.parse(plan ?? '[]') as Edit[]);
    return { no, subject, after, fields: differences(input, after) };
  });
}

const editsOf = ({ id: _id, name = {}, ...fields }: GoodsRow): Edit[] => [
  ...Object.entries(name).map(([code, to]) => ({ path: ['name', code], to })),
  ...Object.entries(fields).map(([field, to]) => ({ path: [field], to })),
];

/** What becomes of products when the fields that were set get their former values back; one that was touched since stays. */
async function takenBack(
  deps: Pick<Deps, 'stores'>,
  trx: Change['trx'],
  rows: readonly { no: number; subject: string; fields: string }[],
): Promise<Outcome[]> {
  const stored = await byId(
    deps,
    trx,
    rows.map(({ subject }) => subject),
  );
  return rows.map(({ no, subject, fields: text }) => {
    const fields: Difference[] = JSON.parse(text);
    const input = stored.get(subject)?.input;
    if (fields.length === 0) return { no, subject, fields };
    const isTouched = !input || fields.some(({ path, to }) => !isEqual(valueAt(input, path), to));
    if (isTouched) return { no, subject, fields, problems: [problem([], 'problem.touched')] };
    const before = fields.map(({ path, from }) => ({ path, to: from }));
    return { no, subject, fields, after: edited(input, before) };
  });
}

async function byId(deps: Pick<Deps, 'stores'>, trx: Change['trx'], ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, WholeProduct>();
  const stored = await storedProducts(deps, trx, ids);
  return new Map(stored.map((each) => [each.input.id, each]));
}

/** All at once; if one is refused, each by itself, so that only that one stays as it is. */
async function write(
  editor: Pick<CatalogueEditor, 'upsertProducts'>,
  change: Change,
  outcomes: readonly Outcome[],
): Promise<void> {
  const due = outcomes.filter(
    (each): each is Outcome & { after: ProductInput } => !!each.after && each.fields.length > 0,
  );
  if (due.length === 0) return;
  try {
    await editor.upsertProducts(
      change,
      due.map(({ after }) => after),
    );
  } catch (error) {
    // Everything is checked before anything is written.
    if (!(error instanceof InputError)) throw error;
    const [only] = due;
    if (due.length > 1) for (const each of due) await write(editor, change, [each]);
    else if (only) only.problems = error.problems;
  }
}

/** Own prices of SKUs and prices of options follow a percentage; a price that is set is that of the product. */
export function changed(
  product: ProductInput,
  { set, percent, round, status }: GoodsChange,
  currency: string,
): ProductInput {
  const priced = (cents: number) =>
    rounded(percent === undefined ? cents : scaled(cents, percent), round, currency);
  const isPriced = percent !== undefined || round !== undefined;
  return {
    ...product,
    ...(status === undefined ? {} : { status }),
    priceCents:
      set === undefined
        ? isPriced
          ? priced(product.priceCents)
          : product.priceCents
        : rounded(set, round, currency),
    ...(isPriced && set === undefined
      ? {
          options: product.options.map((option) => ({
            ...option,
            values: option.values.map((value) => ({
              ...value,
              priceDeltaCents:
                percent === undefined ? value.priceDeltaCents : scaled(value.priceDeltaCents, percent),
              overridePriceCents: value.overridePriceCents === null ? null : priced(value.overridePriceCents),
            })),
          })),
          skus: product.skus.map((sku) =>
            sku.priceCents === undefined ? sku : { ...sku, priceCents: priced(sku.priceCents) },
          ),
        }
      : {}),
  };
}

const scaled = (cents: number, percent: number) => Math.round(cents * (1 + percent / 10_000));

/** To the nearest amount that ends so. */
function rounded(cents: number, to: GoodsChange['round'], currency: string): number {
  if (to === undefined || cents === 0) return cents;
  const { step, end } = priceEnding(to, currency);
  return Math.max(end, Math.round((cents - end) / step) * step + end);
}

const said = (what: Problem, locale: Locale) => problemText({ ...what, path: [] }, staffTranslate(locale));
