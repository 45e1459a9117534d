/**
 * Changes of many products at once. They run in pieces, each a transaction that also says how far the work is, so that shoppers
 * are answered between them, and that it goes on after the end of a process. What each has set can be taken back.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Locale } from '#contract/locales.ts';
import { type Problem, problem, problemText } from '#contract/problems.ts';
import { type Difference, differences, type Edit, edited, isEqual, valueAt } from '#contract/rules/patch.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { GoodsChange, GoodsChangeState, GoodsFilter, GoodsRow } from '#contract/staff/goods.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { type Actor, actorIn, actorText } from '#server/platform/actors.ts';
import { InputError, notFound } from '#server/platform/errors.ts';
import type { ProductInput } from '../products/product-input.ts';
import { countGoods, goodsBelow, goodsNosOf } from './goods.repository.ts';
import {
  addGoodsChange,
  changedGoodsBelow,
  type GoodsChangeRow,
  goodsChangeById,
  goodsProblems,
  latestGoodsChanges,
  moveGoodsChange,
  nextGoodsChange,
  planGoods,
  putChangedGoods,
} from './goods-changes.repository.ts';
import { foundBy, type OfficeGoodsDeps, storedProducts } from './office-goods.ts';

/** How long a piece should take, ms: half of what a transaction of the staff may. */
const pieceMs = 20;
const mostInPiece = 50;
const plannedAtOnce = 500;
const shownChanges = 10;
const shownProblems = 200;

export type GoodsChanges = ReturnType<typeof createGoodsChanges>;

export function createGoodsChanges(deps: Deps) {
  const { db, changes, catalogue } = deps;

  async function stateOf(row: GoodsChangeRow, locale: Locale): Promise<GoodsChangeState> {
    const { id, started_at: startedAt, total, done } = row;
    const problems = await goodsProblems(db.read, id, shownProblems);
    return {
      ...{ id, startedAt, state: row.state as GoodsChangeState['state'], total, done },
      problems: problems.map((each) => ({ product: each.product_id, problem: said(each.problem, locale) })),
    };
  }

  async function stored(id: string): Promise<GoodsChangeRow> {
    const row = await goodsChangeById(db.read, id);
    if (!row) throw notFound();
    return row;
  }

  return {
    async begin(actor: Actor, { filter, ids, change }: StaffBody<'changeGoods'>, locale: Locale): Promise<GoodsChangeState> {
      const total = await countGoods(db, ids ? { ids } : await foundBy(catalogue, filter));
      const texts = { found_by: JSON.stringify(ids ? { ids } : filter), change: JSON.stringify(change) };
      return stateOf(await started(deps, actor, { id: randomUUID(), total, ...texts }), locale);
    },

    /** Those that are not there any more are left out. */
    async beginRows(actor: Actor, rows: readonly GoodsRow[], locale: Locale): Promise<GoodsChangeState> {
      const id = randomUUID();
      const total = await planRows(deps, id, rows);
      const texts = { found_by: JSON.stringify({ rows: true }), change: '{}' };
      return stateOf(await started(deps, actor, { id, total, ...texts }), locale);
    },

    latest: async (locale: Locale): Promise<StaffResponse<'goodsChanges'>> => ({
      changes: await Promise.all((await latestGoodsChanges(db.read, shownChanges)).map((row) => stateOf(row, locale))),
    }),

    /** @throws {AppError} 404; one that is not done, or was taken back, stays as it is */
    async takeBack(id: string, locale: Locale): Promise<GoodsChangeState> {
      const row = await stored(id);
      if (row.state === 'done')
        await db.transaction((trx) => moveGoodsChange(trx, id, { state: 'takingBack', below: null, done: 0 }));
      return stateOf(await stored(id), locale);
    },

    /** Does what has been begun, until nothing is left. */
    async work(): Promise<void> {
      let size = 1;
      for (let next = await nextGoodsChange(db.read); next; next = await nextGoodsChange(db.read)) {
        const { id, actor } = next;
        const from = performance.now();
        await changes.run(actorIn(actor), 'products bulk', (change) => piece(deps, change, id, size));
        size = Math.max(1, Math.min(mostInPiece, Math.floor((size * pieceMs) / (performance.now() - from))));
        await setImmediate();
      }
    },
  };
}

type Deps = Omit<OfficeGoodsDeps, 'settings'>;
type Stored = Awaited<ReturnType<typeof storedProducts>>[number];

/** What becomes of a product: it is written if it has an `after`. */
interface Outcome {
  no: number;
  id: string;
  after?: ProductInput;
  fields: Difference[];
  problem?: Problem;
}

async function piece(deps: Deps, change: Change, id: string, size: number): Promise<void> {
  const { trx } = change;
  await deps.editor.lock(trx);
  // Another process may have done it meanwhile.
  const row = await goodsChangeById(trx, id);
  // Nothing may be left to do, and then nothing is noted.
  change.note('product', id, []);
  if (!row || (row.state !== 'running' && row.state !== 'takingBack')) return;
  const outcomes = row.state === 'running' ? await planned(deps, row, size) : await takenBack(deps, trx, row, size);
  await write(deps, change, outcomes);
  const kept = outcomes.map(({ no, id: product, fields, problem: why }) => ({
    ...{ change_id: id, product_no: no, product_id: product, fields: JSON.stringify(why ? [] : fields) },
    problem: why ? JSON.stringify(why) : null,
  }));
  await putChangedGoods(trx, kept);
  const isLast = outcomes.length < size;
  await moveGoodsChange(trx, id, {
    below: outcomes.at(-1)?.no ?? row.below,
    done: row.done + outcomes.length,
    ...(isLast ? { state: row.state === 'running' ? 'done' : 'takenBack' } : {}),
  });
}

async function planned(deps: Deps, row: GoodsChangeRow, size: number): Promise<Outcome[]> {
  const filter: GoodsFilter & { ids?: string[]; rows?: true } = JSON.parse(row.found_by);
  const { ids, rows, ...found } = filter;
  if (rows) return plannedRows(deps, row, size);
  const next = await goodsBelow(deps.db, { ...(await foundBy(deps.catalogue, found)), ...(ids && { ids }) }, row.below, size);
  const wanted: GoodsChange = JSON.parse(row.change);
  const stored = await byId(deps, deps.db.read, next);
  return next.flatMap(({ no, id }) => {
    const input = stored.get(id)?.input;
    if (!input) return [];
    const after = changed(input, wanted);
    return [{ no, id, after, fields: differences(input, after) }];
  });
}

async function started({ db, now }: Deps, actor: Actor, what: Pick<GoodsChangeRow, 'id' | 'total' | 'found_by' | 'change'>) {
  const row = { ...what, started_at: now(), actor: actorText(actor), state: 'running', below: null, done: 0 };
  await db.transaction((trx) => addGoodsChange(trx, row));
  return row;
}

/** Keeps what each is to become. Returns how many are there. */
async function planRows({ db }: Deps, change: string, rows: readonly GoodsRow[]): Promise<number> {
  const wanted = new Map(rows.map((row) => [row.id, row]));
  const nos = await goodsNosOf(db, [...wanted.keys()]);
  const planned = [...wanted.values()].flatMap((row) => {
    const no = nos.get(row.id);
    return no === undefined ? [] : [{ no, id: row.id, fields: JSON.stringify(editsOf(row)) }];
  });
  for (let start = 0; start < planned.length; start += plannedAtOnce)
    await db.transaction((trx) => planGoods(db, trx, change, planned.slice(start, start + plannedAtOnce)));
  return planned.length;
}

async function plannedRows(deps: Deps, { id: change, below }: GoodsChangeRow, size: number): Promise<Outcome[]> {
  const rows = await changedGoodsBelow(deps.db.read, change, below, size);
  const stored = await byId(
    deps,
    deps.db.read,
    rows.map(({ product_id: id }) => ({ id })),
  );
  return rows.map(({ product_no: no, product_id: id, fields }) => {
    const input = stored.get(id)?.input;
    if (!input) return { no, id, fields: [], problem: problem([], 'problem.touched') };
    const after = edited(input, JSON.parse(fields) as Edit[]);
    return { no, id, after, fields: differences(input, after) };
  });
}

const editsOf = ({ id: _id, name = {}, ...fields }: GoodsRow): Edit[] => [
  ...Object.entries(name).map(([code, to]) => ({ path: ['name', code], to })),
  ...Object.entries(fields).map(([field, to]) => ({ path: [field], to })),
];

async function takenBack(deps: Deps, trx: Change['trx'], row: GoodsChangeRow, size: number): Promise<Outcome[]> {
  const rows = await changedGoodsBelow(trx, row.id, row.below, size);
  const stored = await byId(
    deps,
    trx,
    rows.map(({ product_id }) => ({ id: product_id })),
  );
  return rows.map(({ product_no: no, product_id: id, fields: text }) => {
    const fields: Difference[] = JSON.parse(text);
    const input = stored.get(id)?.input;
    if (fields.length === 0) return { no, id, fields };
    const isTouched = !input || fields.some(({ path, to }) => !isEqual(valueAt(input, path), to));
    if (isTouched) return { no, id, fields, problem: problem([], 'problem.touched') };
    return {
      no,
      id,
      fields,
      after: edited(
        input,
        fields.map(({ path, from }) => ({ path, to: from })),
      ),
    };
  });
}

async function byId(deps: Deps, reader: Change['trx'] | Deps['db']['read'], products: readonly { id: string }[]) {
  if (products.length === 0) return new Map<string, Stored>();
  const stored = await storedProducts(
    deps,
    reader,
    products.map(({ id }) => id),
  );
  return new Map(stored.map((each) => [each.input.id, each]));
}

/** All at once; if one is refused, each by itself, so that only that one stays as it is. */
async function write({ editor }: Deps, change: Change, outcomes: readonly Outcome[]): Promise<void> {
  const due = outcomes.filter((each): each is Outcome & { after: ProductInput } => !!each.after && each.fields.length > 0);
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
    if (due.length > 1) for (const each of due) await write({ editor } as Deps, change, [each]);
    else if (only && error.problems[0]) only.problem = error.problems[0];
  }
}

/** Own prices of SKUs and prices of options follow a percentage; a price that is set is that of the product. */
export function changed(product: ProductInput, { set, percent, round, published }: GoodsChange): ProductInput {
  const priced = (cents: number) => rounded(percent === undefined ? cents : scaled(cents, percent), round);
  const isPriced = percent !== undefined || round !== undefined;
  return {
    ...product,
    ...(published === undefined ? {} : { status: published ? 'active' : 'draft' }),
    priceCents: set === undefined ? (isPriced ? priced(product.priceCents) : product.priceCents) : rounded(set, round),
    ...(isPriced && set === undefined
      ? {
          options: product.options.map((option) => ({
            ...option,
            values: option.values.map((value) => ({
              ...value,
              priceDeltaCents: percent === undefined ? value.priceDeltaCents : scaled(value.priceDeltaCents, percent),
              overridePriceCents: value.overridePriceCents === null ? null : priced(value.overridePriceCents),
            })),
          })),
          skus: product.skus.map((sku) => (sku.priceCents === undefined ? sku : { ...sku, priceCents: priced(sku.priceCents) })),
        }
      : {}),
  };
}

const scaled = (cents: number, percent: number) => Math.round(cents * (1 + percent / 10_000));

/** To the nearest amount that ends in these cents. */
function rounded(cents: number, to: GoodsChange['round']): number {
  return to === undefined || cents === 0 ? cents : Math.max(to, Math.round((cents - to) / 100) * 100 + to);
}

const said = (text: string | null, locale: Locale) =>
  text === null ? '' : problemText({ ...(JSON.parse(text) as Problem), path: [] }, staffTranslate(locale));
