import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { staffTranslate } from '#contract/staff/messages.ts';
import { mostStatementBytes } from '#contract/staff/settlements.ts';
import { type StaffCall, serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { Ledger } from '#server/modules/ledger/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { statementAnswer } from './bank.ts';
import { bookEventsOf } from './book-entries.ts';
import {
  createSettlementsService,
  type SettlementsDeps,
  type SettlementsService,
} from './settlements.service.ts';
import { statementProblemText } from './statement.ts';

export interface SettlementsServices {
  settlements: SettlementsService;
}

type Deps = Omit<SettlementsDeps, 'onKept'> & { changes: ChangesService; ledger: Ledger };

export function createSettlementsModule(deps: Deps): ServerModule<SettlementsServices> {
  const { ledger } = deps;
  const settlements = createSettlementsService({
    ...deps,
    onKept: (trx, kept) => ledger.record(trx, bookEventsOf(kept)),
  });
  return {
    services: { settlements },
    registerRoutes: (app) => registerSettlements(app, { ...deps, settlements }),
    // Each provider is read once a day, and again an hour after a failure.
    jobs: [{ name: 'provider settlements', everyMs: 10 * minuteMs, run: settlements.reader.readDue }],
  };
}

function registerSettlements(
  app: FastifyInstance,
  { changes, settlements }: Deps & SettlementsServices,
): void {
  serveStaff(app, 'settlements', ({ permit, query }) => settlements.list(permit, query));
  serveStaff(app, 'settlementRows', ({ permit, query }) => settlements.rows(permit, query));
  serveStaff(app, 'settlementFindings', ({ permit, query }) => settlements.findings(permit, query));
  serveStaff(app, 'readSettlements', ({ permit }) => settlements.read(permit));
  serveStaff(app, 'askAboutFinding', ({ permit, body }) => settlements.ask(permit, body.finding));
  serveStaff(app, 'acceptFinding', ({ permit, body }) =>
    changes.run(permit.actor, 'payouts accept', (change) =>
      settlements.accept(change, permit, body.finding, body.note),
    ),
  );
  serveStaff(app, 'linkPayout', ({ permit, body }) =>
    changes.run(permit.actor, 'payouts link', (change) => settlements.link(change, permit, body)),
  );
  void app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const read = async ({ permit, query, request, lang }: StaffCall<'readStatement'>) => {
      const { apply = 'no', ...chosen } = query;
      const body = (request.body as Readable | undefined) ?? Readable.from([]);
      const found = await settlements.readStatement(permit, body, chosen);
      const t = staffTranslate(lang);
      const problems = found.problems.map((each) => statementProblemText(each, t));
      if (apply === 'no' || problems.length > 0) return statementAnswer(found, problems, null);
      const matched = await changes.run(permit.actor, 'payouts bank', (change) =>
        settlements.bank.keep(change, found),
      );
      return statementAnswer(found, problems, { matched });
    };
    serveStaff(files, 'readStatement', read, { limit: mostStatementBytes });
  });
}
