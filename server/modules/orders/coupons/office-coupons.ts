/** The room Coupons: lists coupons with their uses, adds and ends them. */
import type { FastifyInstance } from 'fastify';
import { addDays } from '#contract/rules/opening-hours.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { Change, ChangesService } from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { instantAt, isCalendarDay } from '#server/platform/time-zone.ts';
import type { CouponsService } from './coupons.service.ts';

interface OfficeCouponsDeps {
  now: () => number;
  changes: ChangesService;
  settings: SettingsService;
  stores: StoresService;
  coupons: CouponsService;
}

function createOfficeCoupons({ now, settings, stores, coupons }: OfficeCouponsDeps) {
  /** Days of the shop's time zone. @throws {AppError} naming the field */
  function startOf(field: 'from' | 'until', date: string, timeZone: string): number {
    const at = isCalendarDay(date) ? instantAt(field === 'until' ? addDays(date, 1) : date, 0, timeZone) : null;
    if (at === null) throw validationError({ [field]: 'office.takings.noDay' });
    return at;
  }

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

    async add(change: Change, { from, until, ...rest }: StaffBody<'addCoupon'>, timeZone: string): Promise<void> {
      const startsAt = from === null ? null : startOf('from', from, timeZone);
      const endsAt = until === null ? null : startOf('until', until, timeZone);
      if (endsAt !== null && endsAt <= Math.max(now(), startsAt ?? 0)) throw validationError({ until: 'office.coupon.over' });
      const [percent, amount] = [rest.kind === 'percent' ? rest.percent : 0, rest.kind === 'amount' ? rest.amount : 0];
      if (rest.kind === 'percent' && percent === 0) throw validationError({ percent: 'office.coupon.nothing' });
      if (rest.kind === 'amount' && amount === 0) throw validationError({ amount: 'office.coupon.nothing' });
      if (!(await coupons.add(change, { ...rest, percent, amount, startsAt, endsAt })))
        throw validationError({ code: 'office.coupon.taken' });
    },

    async end(change: Change, code: string): Promise<void> {
      if (!(await coupons.end(change, code))) throw notFound();
    },
  };
}

export function registerOfficeCoupons(app: FastifyInstance, deps: OfficeCouponsDeps): void {
  const office = createOfficeCoupons(deps);
  const { changes, stores } = deps;
  serveStaff(app, 'coupons', () => office.list());
  serveStaff(app, 'addCoupon', async ({ permit, body }) => {
    const timeZone = await stores.timeZone();
    await changes.run(permit.actor, 'coupon add', (change) => office.add(change, body, timeZone));
    return office.list();
  });
  serveStaff(app, 'endCoupon', async ({ permit, params }) => {
    await changes.run(permit.actor, 'coupon end', (change) => office.end(change, params.code));
    return office.list();
  });
}
