import { createHmac, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { exportTicketMs } from '#contract/staff/imports.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Database } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { Download, type SignedIn, serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { installationSecret } from '#server/platform/secrets/secrets.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { xlsxType } from '#server/platform/xlsx.ts';
import { createExports, type ExportsDeps, type ExportsService, type Wanted } from './exports.service.ts';
import type { PayoutsWanted } from './payouts-file.ts';
import type { TranslationsWanted } from './translations-file.ts';

interface ModuleDeps extends ExportsDeps {
  db: Database;
  changes: ChangesService;
}

export function createExportsModule(deps: ModuleDeps): ServerModule<{ exports: ExportsService }> {
  const services = { exports: createExports(deps) };
  return { services, registerRoutes: (app) => registerExports(app, { ...deps, ...services }) };
}

/** What a ticket is for. */
interface TicketFor {
  file: Omit<Wanted, 'origin'> | PayoutsWanted | TranslationsWanted | 'archive';
  /** Of the staff. */
  person: string;
  /** Asked again when the file is loaded. */
  needs: Permission;
  /** Epoch ms. */
  until: number;
}

/** Everybody's data is only for whoever works for the whole shop. */
const isOf = (needs: Permission, stores: unknown) => needs === 'goods.read' || stores === null;
const mayHave = (needs: Permission, { may, stores }: SignedIn) => may.has(needs) && isOf(needs, stores);

/** A browser loads a file by its address, without what other calls prove: who may have it, and that they were asked for the factor again. */
function createTickets({ db, now }: Pick<ModuleDeps, 'db' | 'now'>) {
  const signed = async (text: string) =>
    createHmac('sha256', await installationSecret(db, 'exports'))
      .update(text)
      .digest();
  return {
    async issue(file: TicketFor['file'], person: string, needs: Permission): Promise<string> {
      const ticket: TicketFor = { file, person, needs, until: now() + exportTicketMs };
      const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
      return `${text}.${(await signed(text)).toString('base64url')}`;
    },
    /** @throws {AppError} 404 for one of somebody else, who may not have the file any more, that has expired, or was never issued */
    async read(ticket: string, caller: SignedIn): Promise<TicketFor['file']> {
      const [text = '', signature = ''] = ticket.split('.');
      const [given, wanted] = [Buffer.from(signature, 'base64url'), await signed(text)];
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw notFound();
      const { file, person, needs, until }: TicketFor = JSON.parse(Buffer.from(text, 'base64url').toString());
      if (person !== caller.id || !mayHave(needs, caller) || until < now()) throw notFound();
      return file;
    },
  };
}

function registerExports(app: FastifyInstance, deps: ModuleDeps & { exports: ExportsService }): void {
  const { exports, changes, now, env } = deps;
  const tickets = createTickets(deps);
  const origin = shopOrigin(app, env.publicUrl);

  async function issue(permit: Permit, file: TicketFor['file'], person: string): Promise<{ ticket: string }> {
    const what = file === 'archive' ? 'shop' : file.table;
    // Its days are checked before the browser is sent there.
    if (file !== 'archive' && file.table === 'payouts') await exports.checkPayouts(file);
    if (!isOf(permit.permission, permit.stores)) throw notFound();
    await changes.run(permit.actor, `export ${what}`, async ({ note }) => note('export', what));
    return { ticket: await tickets.issue(file, person, permit.permission) };
  }

  serveStaff(app, 'exportGoods', ({ permit, body, caller }) => issue(permit, body, caller().id));
  serveStaff(app, 'exportPeople', ({ permit, body, caller }) => issue(permit, body, caller().id));
  serveStaff(app, 'exportPayouts', ({ permit, body, caller }) =>
    issue(permit, { table: 'payouts', ...body }, caller().id),
  );
  serveStaff(app, 'exportTranslations', ({ permit, body, caller }) =>
    issue(permit, { table: 'translations', ...body }, caller().id),
  );
  serveStaff(app, 'exportShop', ({ permit, caller }) => issue(permit, 'archive', caller().id));
  serveStaff(app, 'exportFile', async ({ query, caller, lang }) => {
    const file = await tickets.read(query.ticket, caller());
    const day = new Date(now()).toISOString().slice(0, 10);
    if (file === 'archive')
      return new Download(`shop-${day}.zip`, 'application/zip', await exports.archive(origin()));
    if (file.table === 'payouts') {
      const name = `payouts-${file.from}-${file.to}`;
      if (file.format === 'xlsx')
        return new Download(`${name}.xlsx`, xlsxType, await exports.payoutsSheet(file, lang));
      const csv = Readable.from(exports.payouts(file, lang), { highWaterMark: 2 });
      return new Download(`${name}.csv`, 'text/csv; charset=utf-8', csv);
    }
    if (file.table === 'translations') {
      const may = (needs: Permission) => caller().may.has(needs);
      const name = `translations-${file.language}-${day}`;
      if (file.format === 'xlsx')
        return new Download(`${name}.xlsx`, xlsxType, await exports.translationsSheet(file, may, lang));
      const csv = Readable.from(exports.translations(file, may, lang), { highWaterMark: 2 });
      return new Download(`${name}.csv`, 'text/csv; charset=utf-8', csv);
    }
    const pieces = Readable.from(exports.table({ ...file, origin: origin() }), { highWaterMark: 2 });
    return new Download(`${file.table}-${day}.csv`, 'text/csv; charset=utf-8', pieces);
  });
}
