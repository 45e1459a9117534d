/** The room Coupons: coupons as documents, listed with their uses, and ended. */
import type { FastifyInstance } from 'fastify';
import { addDays } from '#contract/rules/opening-hours.ts';
import { CouponInput } from '#contract/schemas/coupon.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type CatalogueService, labelledCategories, productNames } from '#server/modules/catalogue/index.ts';
import {
  type ChangesService,
  createDocuments,
  type DocumentKind,
  serveDocuments,
} from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { instantAt, isCalendarDay } from '#server/platform/time-zone.ts';
import { type CouponsService, couponContent, couponOf } from '../coupons/coupons.service.ts';

interface OfficeCouponsDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  settings: SettingsService;
  stores: StoresService;
  coupons: CouponsService;
  catalogue: Pick<CatalogueService, 'names'>;
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
          const { id: _, ...settings } = couponContent(coupon);
          return { ...settings, code: coupon.code, state, used: uses.total, held: uses.held };
        }),
      };
    },
  };
}

function couponKind({
  now,
  stores,
  coupons,
}: OfficeCouponsDeps): DocumentKind<CouponInput, StaffBody<'addCoupon'>> {
  return {
    name: 'coupon',
    schema: CouponInput,
    lock: coupons.lock,
    async read(reader, id) {
      const found = await coupons.find(reader, id);
      return found && couponContent(found.coupon);
    },
    all: () => coupons.contents(),
    problems: (content, _, reader) => coupons.problemsOf(content, {}, reader),
    /** @throws {AppError} for a code that is taken, and one that could never be used */
    async make({ trx }, { code, from, until, ...rest }) {
      const timeZone = await stores.timeZone();
      const startsAt = from === null ? null : startOf('from', from, timeZone);
      const endsAt = until === null ? null : startOf('until', until, timeZone);
      if (endsAt !== null && endsAt <= Math.max(now(), startsAt ?? 0))
        throw validationError({ until: 'office.coupon.over' });
      if (rest.kind === 'percent' && rest.percent === 0)
        throw validationError({ percent: 'office.coupon.nothing' });
      if (rest.kind === 'amount' && rest.amount === 0)
        throw validationError({ amount: 'office.coupon.nothing' });
      if (await coupons.isTaken(trx, code)) throw validationError({ code: 'office.coupon.taken' });
      return { id: code, ...rest, startsAt, endsAt };
    },
    async write(change, content) {
      const coupon = couponOf(content);
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
  const { db, changes, coupons, catalogue } = deps;
  const kind = couponKind(deps);
  const documents = createDocuments(deps, kind);
  serveDocuments(app, kind, documents, async (permit, id) => {
    const document = await documents.read(permit, id);
    return {
      ...document,
      used: (await coupons.find(db.read, id))?.used ?? 0,
      products: (await productNames(db.read, document.content.products)).map((each) => ({
        name: each.id,
        nameContent: each.name,
      })),
      categories: labelledCategories(await catalogue.names()),
    };
  });
  serveStaff(app, 'coupons', () => office.list());
  serveStaff(app, 'endCoupon', async ({ permit, params: { id } }) => {
    await changes.run(permit.actor, 'coupon end', async (change) => {
      if (!(await coupons.end(change, id))) throw notFound();
    });
    return office.list();
  });
}
