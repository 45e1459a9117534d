/** The room Coupons: coupons as documents, listed with their uses, and ended. */
import type { FastifyInstance } from 'fastify';
import { problem } from '#contract/problems.ts';
import { addDays } from '#contract/rules/opening-hours.ts';
import { CouponInput } from '#contract/schemas/coupon.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type ChangesService, createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { instantAt, isCalendarDay } from '#server/platform/time-zone.ts';
import { type CouponsService, couponContent } from './coupons.service.ts';

interface OfficeCouponsDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  settings: SettingsService;
  stores: StoresService;
  coupons: CouponsService;
}

function createOfficeCoupons({ now, settings, stores, coupons }: OfficeCouponsDeps) {
  return {
    async list(): Promise<StaffResponse<'coupons'>> {
      const at = now();
      return {
        currency: (await settings.all()).currency,
        timeZone: await stores.timeZone(),
        coupons: (await coupons.list()).map(({ coupon, uses }) => {
          const isEnded = coupon.endsAt !== null && at >= coupon.endsAt;
          const isAhead = coupon.startsAt !== null && at < coupon.startsAt;
          const state = isEnded ? 'ended' : isAhead ? 'scheduled' : 'active';
          return { ...coupon, countries: [...coupon.countries], state, used: uses.total, held: uses.held };
        }),
      };
    },
  };
}

const couponOf = ({ id, ...coupon }: CouponInput): Coupon => ({ code: id, ...coupon });
/** What its kind does not have is 0. */
const ofKind = <T extends Pick<Coupon, 'kind' | 'percent' | 'amount'>>(coupon: T): T => ({
  ...coupon,
  percent: coupon.kind === 'percent' ? coupon.percent : 0,
  amount: coupon.kind === 'amount' ? coupon.amount : 0,
});

function couponKind({ now, stores, coupons }: OfficeCouponsDeps): DocumentKind<CouponInput, StaffBody<'addCoupon'>> {
  return {
    name: 'coupon',
    schema: CouponInput,
    lock: coupons.lock,
    async read(reader, id) {
      const found = await coupons.find(reader, id);
      return found && couponContent(found.coupon);
    },
    async problems({ kind, percent, amount, startsAt, endsAt }) {
      const nothing = { percent: kind === 'percent' && percent === 0, amount: kind === 'amount' && amount === 0 };
      return [
        ...(['percent', 'amount'] as const).flatMap((field) =>
          nothing[field] ? [problem([field], 'problem.exclusiveMinimum', { limit: 0 })] : [],
        ),
        ...(endsAt !== null && endsAt <= (startsAt ?? 0) ? [problem(['endsAt'], 'problem.coupon.ends')] : []),
      ];
    },
    /** @throws {AppError} for a code that is taken, and one that could never be used */
    async make({ trx }, { code, from, until, ...given }) {
      const timeZone = await stores.timeZone();
      const rest = ofKind(given);
      const startsAt = from === null ? null : startOf('from', from, timeZone);
      const endsAt = until === null ? null : startOf('until', until, timeZone);
      if (endsAt !== null && endsAt <= Math.max(now(), startsAt ?? 0)) throw validationError({ until: 'office.coupon.over' });
      if (rest.kind === 'percent' && rest.percent === 0) throw validationError({ percent: 'office.coupon.nothing' });
      if (rest.kind === 'amount' && rest.amount === 0) throw validationError({ amount: 'office.coupon.nothing' });
      if (await coupons.isTaken(trx, code)) throw validationError({ code: 'office.coupon.taken' });
      return { id: code, ...rest, startsAt, endsAt };
    },
    async write(change, content) {
      const coupon = couponOf(ofKind(content));
      if (await coupons.find(change.trx, content.id)) await coupons.put(change, coupon);
      else await coupons.add(change, coupon);
      return undefined;
    },
  };
}

/** Days of the shop's time zone. @throws {AppError} naming the field */
function startOf(field: 'from' | 'until', date: string, timeZone: string): number {
  const at = isCalendarDay(date) ? instantAt(field === 'until' ? addDays(date, 1) : date, 0, timeZone) : null;
  if (at === null) throw validationError({ [field]: 'office.takings.noDay' });
  return at;
}

export function registerOfficeCoupons(app: FastifyInstance, deps: OfficeCouponsDeps): void {
  const office = createOfficeCoupons(deps);
  const { db, changes, coupons } = deps;
  const kind = couponKind(deps);
  const documents = createDocuments(deps, kind);
  serveDocuments(app, kind, documents, async (permit, id) => {
    const document = await documents.read(permit, id);
    return { ...document, used: (await coupons.find(db.read, id))?.used ?? 0 };
  });
  serveStaff(app, 'coupons', () => office.list());
  serveStaff(app, 'endCoupon', async ({ permit, params: { id } }) => {
    await changes.run(permit.actor, 'coupon end', async (change) => {
      if (!(await coupons.end(change, id))) throw notFound();
    });
    return office.list();
  });
}
