import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/locales.ts';
import type { BookAccounts, EntryForm } from '#contract/staff/handover.ts';
import type { Database } from '#db/database.ts';
import { Download, serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { Ledger } from '#server/modules/ledger/index.ts';
import { createSettingsEditor, type SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { csvOf } from '#server/platform/csv.ts';
import { spanOf } from '#server/platform/day-span.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { xlsxOf, xlsxType } from '#server/platform/xlsx.ts';
import { type CashService, createCash } from './cash/cash.ts';
import { placesOf } from './closing/figures.ts';
import { type BookkeepingDeps, createPeriods, type PeriodsService } from './closing/periods.ts';
import { entryHeader, entryRows, hledgerJournal } from './handover/entry-files.ts';
import { createHandover, type HandoverService } from './handover/handover.ts';
import { type BookOrderDeps, createBookOrders } from './order/book-order.ts';

export interface BookkeepingModuleDeps extends BookkeepingDeps, BookOrderDeps {
  db: Database;
  stores: StoresService;
  settings: SettingsService;
  changes: ChangesService;
  ledger: Ledger;
}

export interface BookkeepingServices {
  periods: PeriodsService;
  cash: CashService;
  handover: HandoverService;
  bookEntries: BookEntries;
}

export function createBookkeepingModule(deps: BookkeepingModuleDeps): ServerModule<BookkeepingServices> {
  const services = {
    periods: createPeriods(deps),
    cash: createCash(deps),
    handover: createHandover(deps),
    bookEntries: createBookEntries(deps),
  };
  return { services, registerRoutes: (app) => register(app, deps, services) };
}

type BookEntries = ReturnType<typeof createBookEntries>;

/** All entries of days, as a file. */
function createBookEntries({ db, now, stores, staff }: BookkeepingModuleDeps) {
  return {
    /** @throws {AppError} for days that do not exist or are no range */
    async file(
      days: { from: string; to: string; form: EntryForm },
      of: ReadonlySet<string> | null,
    ): Promise<Download> {
      const timeZone = await stores.timeZone();
      const asked = { ...spanOf(days.from, days.to, timeZone), stores: of };
      const name = `books-${days.from}-${days.to}`;
      const pieces = (from: AsyncIterable<string>) => Readable.from(from, { highWaterMark: 2 });
      if (days.form === 'hledger')
        return new Download(
          `${name}.journal`,
          'text/plain; charset=utf-8',
          pieces(hledgerJournal(db.read, asked, timeZone)),
        );
      const rows = entryRows(db.read, asked, { timeZone, names: await staff.names() });
      if (days.form === 'xlsx')
        return new Download(`${name}.xlsx`, xlsxType, await xlsxOf('Entries', entryHeader, rows, now()));
      return new Download(`${name}.csv`, 'text/csv; charset=utf-8', pieces(csvOf(entryHeader, rows)));
    },
  };
}

/** What is of the whole shop, nobody has who works in some of its stores. */
function requireAll({ stores }: Permit): void {
  if (stores !== null) throw notFound();
}

function register(app: FastifyInstance, deps: BookkeepingModuleDeps, services: BookkeepingServices): void {
  registerClosing(app, deps, services);
  registerCash(app, deps, services);
  registerHandover(app, deps, services);
  const orders = createBookOrders(deps);
  serveStaff(app, 'bookOrder', ({ permit, params, lang }) => orders.of(permit, params.number, lang));
}

function registerClosing(
  app: FastifyInstance,
  { changes }: BookkeepingModuleDeps,
  { periods }: BookkeepingServices,
): void {
  serveStaff(app, 'periods', () => periods.all());
  serveStaff(app, 'periodProof', async ({ permit, params, lang }) => {
    requireAll(permit);
    const proof = await periods.proof(params.period);
    const sums = [...(proof.figures?.sums ?? []), ...proof.differences.map(({ sum }) => sum)];
    return { ...proof, places: placesOf(sums, lang) };
  });
  serveStaff(app, 'openFigures', async ({ body, lang }) => {
    const figures = await periods.figures(body);
    return { ...figures, places: placesOf(figures.sums, lang) };
  });
  serveStaff(app, 'closePeriod', async ({ permit, body: { entries, ...days } }) => {
    await periods.close(changes.by(permit.actor, 'books close'), days, entries);
    return periods.all();
  });
  serveStaff(app, 'reopenPeriod', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'books reopen', (change) =>
      periods.reopen(change, params.period, body.why),
    );
    return periods.all();
  });
}

function registerCash(
  app: FastifyInstance,
  { changes }: BookkeepingModuleDeps,
  { cash }: BookkeepingServices,
): void {
  serveStaff(app, 'cashSheet', ({ permit, query: { store, day } }) => cash.sheet(permit, store, day));
  serveStaff(app, 'moveCash', async ({ permit, body }) => {
    await changes.run(permit.actor, `cash ${body.kind}`, (change) => cash.move(change, permit, body));
    return cash.sheet(permit, body.store, body.day);
  });
  serveStaff(app, 'takeBackCash', async ({ permit, params }) => {
    const store = await changes.run(permit.actor, 'cash take-back', (change) =>
      cash.takeBack(change, permit, params.move),
    );
    return cash.sheet(permit, store);
  });
}

function registerHandover(
  app: FastifyInstance,
  deps: BookkeepingModuleDeps,
  services: BookkeepingServices,
): void {
  const { changes } = deps;
  const { handover, bookEntries } = services;
  const editor = createSettingsEditor(deps, ['bookAccounts']);
  const accounts = async (lang: Locale): Promise<BookAccounts> => ({
    ...(await editor.read()),
    lines: await handover.lines(lang),
  });
  serveStaff(app, 'bookAccounts', ({ lang }) => accounts(lang));
  serveStaff(app, 'saveBookAccounts', async ({ permit, body, lang }) => {
    requireAll(permit);
    await editor.save(changes.by(permit.actor, 'books accounts'), body);
    return accounts(lang);
  });
  serveStaff(app, 'handedFiles', () => handover.all());
  serveStaff(app, 'handOver', async ({ permit, body: { program, days }, lang }) => {
    requireAll(permit);
    await changes.run(permit.actor, 'books hand-over', (change) =>
      handover.handOver(change, program, days, lang),
    );
    return handover.all();
  });
  serveStaff(app, 'handedFile', async ({ permit, params }) => {
    requireAll(permit);
    const { name, type, text } = await handover.file(params.file);
    return new Download(name, type, Readable.from([text]));
  });
  serveStaff(app, 'bookEntries', ({ permit, query }) => bookEntries.file(query, permit.stores));
}
