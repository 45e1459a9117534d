/** The demo's people, who enter the office by a click where the shop is a demo that only this machine reaches. */
import type { SignInOptions, StaffMember } from '#contract/staff/schemas.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { type StaffCaller, type StaffSessions, type StartedSession, storesOf } from './sign-in.ts';
import { allStaff, deleteDemoStaff, findStaff, insertStaff, isDemo } from './staff.repository.ts';
import { noFactor, type StaffDeps, unseen } from './staff.service.ts';

export type DemoStaff = Pick<StaffMember, 'id' | 'name' | 'email' | 'role' | 'stores'>;

export function createDemoStaff({ db, env, now, stores }: StaffDeps, sessions: StaffSessions) {
  return {
    async people(): Promise<SignInOptions['demo']> {
      if (!env.demoStaff) return [];
      const [people, places] = await Promise.all([allStaff(db.read), stores.all()]);
      return people.filter(isDemo).map(({ id, name, role, stores: ids }) => ({
        id,
        name,
        role,
        storeContent: places.find((store) => storesOf({ stores: ids })?.includes(store.id))?.name ?? null,
      }));
    },

    /** Signs in as one of the demo's people. @throws 404 where the shop is not a demo on this machine */
    async signIn(id: string, caller: StaffCaller): Promise<StartedSession> {
      const staff = env.demoStaff ? await findStaff(db.read, 'id', id) : null;
      if (!staff || !isDemo(staff)) throw notFound();
      return db.transaction((trx) => sessions.start(trx, staff, caller));
    },

    /** Adds the demo's people, who have no password, unless they are there. */
    async import({ trx, note }: Change, people: readonly DemoStaff[]): Promise<void> {
      for (const [place, { stores: ids, ...person }] of people.entries()) {
        note('staff', person.id);
        if (await findStaff(trx, 'id', person.id)) continue;
        const { email } = person;
        const row = { ...person, email_key: emailKeyOf(email), stores: ids && JSON.stringify(ids), password_hash: '' };
        await insertStaff(trx, { ...row, ...noFactor, ...unseen, created_at: now() + place });
      }
    },

    /** Removes the people without a password, whom only a demo has. Returns whether there were any. */
    withdraw: (): Promise<boolean> => db.transaction(deleteDemoStaff),
  };
}
