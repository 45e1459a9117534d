/** Settings that a room of the office edits as one document. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type Problem, problem } from '#contract/problems.ts';
import { edited, isEqual } from '#contract/rules/patch.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { SettingsDocument } from '#contract/staff/settings.ts';
import type { Database, Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import {
  type ChangesService,
  patched,
  permissionOf,
  type RunChange,
  revisionOf,
} from '#server/modules/changes/index.ts';
import { InputError, notFound } from '#server/platform/errors.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { isNavigationPlace, withoutNavigation } from './navigation.ts';
import { lockSettings } from './settings.repository.ts';
import { type SettingKey, ShopSettings } from './settings.schema.ts';
import type { SettingsService } from './settings.service.ts';
import { settingsProblems } from './settings.service.ts';

export interface OfficeSettingsDeps {
  db: Database;
  changes: ChangesService;
  settings: SettingsService;
}

export type SettingsEditor = ReturnType<typeof createSettingsEditor>;

export function createSettingsEditor(
  { db, settings }: Pick<OfficeSettingsDeps, 'db' | 'settings'>,
  keys: readonly SettingKey[],
) {
  const subject = { kind: 'setting', ids: keys } as const;
  const stored = async (reader: Reader) => {
    const all = await settings.read(reader);
    return Object.fromEntries(keys.map((key) => [key, all[key]])) as Partial<ShopSettings>;
  };
  /** The settings that differ. @throws {InputError} for what could not be saved */
  const changedOf = (before: Partial<ShopSettings>, content: Partial<ShopSettings>) => {
    const names = Object.keys(content).filter(
      (key) => !isEqual(before[key as SettingKey], content[key as SettingKey]),
    );
    const changed = Object.fromEntries(names.map((key) => [key, content[key as SettingKey]]));
    const missing = keys
      .filter((key) => !Object.hasOwn(content, key))
      .map((key) => problem([key], 'problem.required'));
    const invalid = [...names.flatMap(problemsIn), ...missing];
    function problemsIn(name: string): Problem[] {
      const key = keys.find((each) => each === name);
      if (!key) return [problem([name], 'problem.unknownSetting')];
      if (!Object.hasOwn(content, key)) return [];
      return schemaProblems(ShopSettings.properties[key], content[key]).map((each) => ({
        ...each,
        path: [key, ...each.path],
      }));
    }
    const problems = invalid.map((each) => ({ ...each, path: ['settings', ...each.path] }));
    const all = problems.length > 0 ? problems : settingsProblems(changed);
    if (all.length > 0) throw new InputError(all);
    return changed;
  };
  return {
    async read(): Promise<SettingsDocument> {
      const revision = await revisionOf(db.read, subject);
      return { revision, content: await stored(db.read) };
    },
    /** All settings as they would be. @throws {InputError} */
    async with(edits: Patch['edits']): Promise<ShopSettings> {
      const before = await stored(db.read);
      return { ...(await settings.all()), ...changedOf(before, edited(before, edits)) };
    },
    /** @throws {AppError} CONFLICT; {InputError} naming every problem */
    async save(run: RunChange, patch: Patch): Promise<void> {
      // Before anybody waits for it: the form of many settings takes a while to check.
      const known = await stored(db.read);
      changedOf(known, edited(known, patch.edits));
      await run(async (change) => {
        await lockSettings(db, change.trx);
        const before = await stored(change.trx);
        const changed = changedOf(before, await patched(change.trx, subject, before, patch));
        // What was never set goes on to follow the defaults.
        if (Object.keys(changed).length === 0) return change.note('setting', '', []);
        await settings.update(change, changed);
      });
    },
  };
}

/** By the rooms of the office that edit them. */
export const settingsOfRooms = {
  shop: [
    ...([
      'shopName',
      'tagline',
      'contactEmail',
      'languages',
      'staffLanguage',
      'currency',
      'orderNumberPrefix',
    ] as const),
    ...(['newOrderEmails', 'newsletterTicked', 'securityContact', 'footer'] as const),
  ],
  money: [
    ...([
      'taxRates',
      'taxRegistrations',
      'shippingMethods',
      'countries',
      'packing',
      'checkoutConfig',
      'paymentConfig',
      'payAtStoreLimits',
    ] as const),
    ...(['reservationHours', 'tipPercentages', 'tipMethods', 'serviceCharge'] as const),
    ...(['eatingEstablishments', 'tableFood', 'salesRecording'] as const),
  ],
  menus: ['menus'],
} satisfies Record<string, readonly SettingKey[]>;

const savedBy = { shop: 'saveShopSettings', money: 'saveMoneySettings', menus: 'saveMenus' } as const;

/** Each setting of a room as a thing of its own, as the journal names them; without what other documents have of it. */
export function offerSettings({ db, changes, settings }: OfficeSettingsDeps): void {
  for (const [room, keys] of Object.entries(settingsOfRooms)) {
    const stored = async (reader: Reader) => {
      const all = await settings.read(reader);
      return (keys as readonly SettingKey[]).map((id) => ({
        id,
        [id]: isNavigationPlace(id) ? withoutNavigation(all[id]) : all[id],
      }));
    };
    changes.offer({
      kind: 'setting',
      title: `office.${room as keyof typeof savedBy}`,
      schema: Type.Pick(ShopSettings, keys),
      needs: permissionOf(savedBy[room as keyof typeof savedBy]),
      async *pieces(reader) {
        yield await stored(reader);
      },
      read: async (reader, ids) => (await stored(reader)).filter(({ id }) => ids.includes(id)),
      async edit(change, id, make) {
        await lockSettings(db, change.trx);
        const before = (await stored(change.trx)).find((each) => each.id === id);
        if (!before) throw notFound();
        const all = await settings.read(change.trx);
        const { [id]: value }: Partial<Record<string, unknown>> = { ...make(before) };
        await settings.update(change, {
          [id]: isNavigationPlace(id) ? { ...all[id], ...(value as object) } : value,
        });
        return undefined;
      },
    });
  }
}

export function registerShopSettings(app: FastifyInstance, deps: OfficeSettingsDeps): void {
  offerSettings(deps);
  const shop = createSettingsEditor(deps, settingsOfRooms.shop);
  serveStaff(app, 'shopSettings', () => shop.read());
  serveStaff(app, 'saveShopSettings', async ({ permit, body }) => {
    await shop.save(deps.changes.by(permit.actor, 'settings change'), body);
    return shop.read();
  });
}
