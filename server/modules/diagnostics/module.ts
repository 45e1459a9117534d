import { setTimeout as pause } from 'node:timers/promises';
import type { Locale } from '#contract/locales.ts';
import { capitalised } from '#contract/problems.ts';
import { isStaffKey, type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import type { ShopFindings, ShopLacks, setupSteps } from '#contract/staff/settings.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import { keyModes, type PaymentKeys } from '#server/modules/payments/index.ts';
import { type SettingsService, settingsOfRooms } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type CheckedShop, type Finding, paysAtStore, paysOnline } from './checks.ts';
import { hasOrders, hasPicturedProduct, hasStock, hasTaxonomy } from './diagnostics.repository.ts';
import { createDiagnosticsService, type DiagnosticsDeps } from './diagnostics.service.ts';
import { byWeight, findingLines, placeIn, subjectOf } from './report.ts';

/** Findings are kept for so many times as long as finding them took: looking takes at most a twentieth of a process. */
const keptTimes = 20;
/** An answer waits so long for what is looked for: a small shop's findings are those of now. */
const promptMs = 300;
const shownPlaces = 20;

const recordRooms: Readonly<Record<string, string>> = {
  product: '/goods/',
  products: '/goods/',
  store: '/stores/',
  stores: '/stores/',
  'modifier group': '/menus/',
  modifierGroups: '/menus/',
};
function roomOfSetting(key: string): string | null {
  const room = Object.entries(settingsOfRooms).find(([, keys]) => (keys as readonly string[]).includes(key));
  return room ? `/${room[0]}` : null;
}

const rooms: Readonly<Record<string, string>> = {
  'payment.none': '/money',
  'payment.shipping': '/money',
  'tax.shipping': '/money',
  'tax.store': '/money',
  'tax.twice': '/money',
  'tax.fraction': '/money',
  'tax.establishment': '/money',
  'tax.law': '/money',
  'tax.number': '/money',
  'tax.tables': '/money',
  'store.salesRecording': '/money',
  'shipping.cheap': '/money',
  'mail.sender': '/shop',
  'mail.none': '/connections',
  'mail.files': '/connections',
  'connections.noKey': '/connections',
  'connections.otherKey': '/connections',
  'connections.broken': '/connections',
  'connections.openKey': '/connections',
  'payment.simulated': '/money',
  'menu.unknown': '/menus',
  'image.lost': '/media',
};
const kindRooms: Readonly<Record<string, string>> = {
  brand: '/taxonomy',
  brands: '/taxonomy',
  category: '/taxonomy',
  categories: '/taxonomy',
  tag: '/taxonomy',
  tags: '/taxonomy',
  coupon: '/coupons',
  coupons: '/coupons',
};

interface ModuleDeps extends DiagnosticsDeps {
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
}

export function createDiagnosticsModule(deps: ModuleDeps): ServerModule {
  const lacks = createSetup({ ...deps, diagnostics: createDiagnosticsService(deps) });
  return {
    services: {},
    registerRoutes(app) {
      serveStaff(app, 'shopLacks', ({ lang }) => lacks(lang));
    },
  };
}

interface SetupDeps {
  db: Database;
  now: () => number;
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all'>;
  connections: Pick<ConnectionsService<PaymentKeys>, 'current'>;
  diagnostics: ReturnType<typeof createDiagnosticsService>;
}

type Steps = Record<(typeof setupSteps)[number], boolean>;

type Run = Awaited<ReturnType<SetupDeps['diagnostics']['run']>> & { at: number };

/** What the shop still lacks, as a page of the office: the steps of its first evening, and the findings of `doctor` with their screens. */
export function createSetup({ db, now, settings, stores, connections, diagnostics }: SetupDeps) {
  let latest: Run | null = null;
  let looking: Promise<void> | null = null;
  let failed: { error: unknown } | null = null;
  let staleAt = 0;

  /** Of several people who ask, one has it looked for. Never rejects: `failed` has the reason. */
  function look(): Promise<void> {
    if (looking) return looking;
    if (performance.now() < staleAt) return Promise.resolve();
    const from = performance.now();
    looking = diagnostics
      .run()
      .then((found) => {
        latest = { ...found, at: now() };
        staleAt = performance.now() + (performance.now() - from) * keptTimes;
      })
      .catch((error: unknown) => {
        failed = { error };
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  async function steps(): Promise<Steps> {
    const [all, places, inUse] = await Promise.all([settings.all(), stores.all(), connections.current()]);
    const shop: Pick<CheckedShop, 'providers' | 'settings' | 'stores'> = {
      providers: keyModes(inUse).map(({ provider }) => provider),
      settings: all,
      stores: places,
    };
    const looked = [hasTaxonomy, hasPicturedProduct, hasStock, hasOrders].map((has) => has(db.read));
    const [taxonomy = false, product = false, stock = false, order = false] = await Promise.all(looked);
    return {
      shop: Object.values(all.shopName).some((name) => name !== '') && all.contactEmail !== '',
      store: places.some(({ openingHours }) => Object.values(openingHours).some((hours) => hours !== null)),
      mail: inUse.smtpUrl !== null,
      money: all.taxRates.length > 0 && (paysOnline(shop) || paysAtStore(shop)),
      taxonomy,
      product,
      stock,
      order,
    };
  }

  return async (lang: Locale): Promise<ShopLacks> => {
    const [done] = await Promise.all([
      steps(),
      Promise.race([look(), pause(promptMs, undefined, { ref: false })]),
    ]);
    const reason = failed;
    failed = null;
    // Whoever asks next has it looked for again.
    if (reason) throw reason.error;
    return {
      steps: Object.entries(done).map(([step, isDone]) => ({ step: step as keyof Steps, done: isDone })),
      found: latest && foundIn(latest, lang),
      looking: looking !== null,
    };
  };
}

function foundIn({ findings, checked, at }: Run, lang: Locale): ShopFindings {
  const t = staffTranslate(lang);
  return {
    findings: findingLines(findings.toSorted(byWeight), t).map(({ text, findings: of, places }) => {
      const records = recordsOf(of, t);
      const [first] = of;
      const isOne = places.length === 0 || rooms[first?.key ?? ''] !== undefined;
      return {
        subject: t(`doctor.subject.${first ? (subjectOf(first) ?? 'rules') : 'rules'}`),
        level: first?.level ?? 'warn',
        text: capitalised(text),
        room: isOne && first ? roomOf(first) : null,
        places:
          places.length === 0
            ? []
            : records
                .slice(0, shownPlaces)
                .map(({ name, room }) => ({ text: name, room: isOne ? null : room })),
        more: places.length === 0 ? 0 : Math.max(0, records.length - shownPlaces),
      };
    }),
    checked,
    at,
  };
}

/** The places by their records: of a product with ten texts to translate, its name and how many. */
function recordsOf(findings: readonly Finding[], t: StaffTranslate): { name: string; room: string | null }[] {
  const records = Map.groupBy(findings, (finding) =>
    finding.key === 'text.missing' ? placeIn(finding).split(':', 1)[0] : placeIn(finding),
  );
  return [...records].flatMap(([place = '', of]) => {
    const [first] = of;
    if (!first) return [];
    const name = place.replace(/^([a-z ]+?) (?=\S+)/, (whole, kind: string) => {
      const key = `kind.${kind}`;
      return isStaffKey(key) ? `${t(key)} ` : whole;
    });
    return [{ name: of.length > 1 ? `${name} × ${of.length}` : name, room: roomOf(first) }];
  });
}

/** Below `/office`. Null for what is mended outside of it, such as the address of the office. */
function roomOf({ key, values, problem }: Finding): string | null {
  const known = rooms[key];
  if (known) return known;
  const where = String(values.where ?? '');
  if (/^(?:store|zone)\./.test(key)) return `/stores/${encodeURIComponent(where.split(':', 1)[0] ?? '')}`;
  // "product river-mug: details.care", or a path such as products, river-mug, skus.
  const [, kindInText = '', idInText = ''] = /^([a-z ]+?)(?: ([^\s:]+))?(?::|$)/.exec(where) ?? [];
  const [kind = '', id = ''] = problem ? problem.path : [kindInText, idInText];
  if (kind === 'settings')
    return roomOfSetting(id || where.replace(/^settings: /, '').split('.', 1)[0] || '');
  const room = recordRooms[kind];
  if (room && id) return room + encodeURIComponent(id);
  return kindRooms[kind] ?? null;
}
