import { createPasswords, type Passwords } from '#server/modules/customers/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createFeed, registerFeed } from './feed.ts';
import { createPasskeys } from './passkeys.ts';
import { createPush, type StaffPush } from './push.ts';
import { createRoles } from './roles.ts';
import { createStaffSessions, createStaffSignIn } from './sign-in.ts';
import { deleteExpired } from './staff.repository.ts';
import { registerStaffRoutes } from './staff.routes.ts';
import { createDemoStaff, createStaffService, type StaffDeps, type StaffService } from './staff.service.ts';
import { createStations } from './stations.ts';

export function createStaffModule(
  deps: StaffDeps & { settings: SettingsService; reach?: NetworkPolicy; passwords?: Passwords },
): ServerModule<{ staff: StaffService; push: StaffPush; demoStaff: ReturnType<typeof createDemoStaff> }> {
  const { db, now } = deps;
  const passwords = deps.passwords ?? createPasswords();
  const stations = createStations(deps, passwords);
  const sessions = createStaffSessions(deps, stations);
  const push = createPush(deps, sessions);
  const signIn = createStaffSignIn(deps, passwords, sessions);
  const staff = createStaffService(deps, passwords, sessions);
  const demoStaff = createDemoStaff(deps, sessions);
  const passkeys = createPasskeys(deps, sessions);
  const roles = createRoles(deps);
  const feed = createFeed({ db, now, sessions });
  return {
    services: { staff, push, demoStaff },
    registerRoutes(app) {
      registerStaffRoutes(app, { ...deps, staff, demoStaff, passkeys, roles, signIn, sessions, stations, push });
      registerFeed(app, feed);
    },
    maintenance: [{ run: () => db.transaction((trx) => deleteExpired(trx, now())) }, { run: feed.trim }],
  };
}
