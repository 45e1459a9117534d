import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inLocale } from '#contract/locales.ts';
import { documentCallNames, documentKinds, documentNames } from '#contract/staff/document-names.ts';
import type { Revisions } from '#contract/staff/documents.ts';
import type { StaffQuery } from '#contract/staff/endpoints.ts';
import type { Kind } from '#contract/staff/messages.ts';
import type { JournalPage } from '#contract/staff/schemas.ts';
import { shopOrigin } from '#server/http/origin.ts';
import {
  deviceOfStaff,
  sendDeviceCookie,
  sendStaffCookie,
  serveChange,
  serveStaff,
  spanOf,
} from '#server/http/staff-endpoint.ts';
import { isBeside } from '#server/modules/changes/index.ts';
import { createPasswords, type Passwords } from '#server/modules/customers/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { actorText, keyOf } from '#server/platform/actors.ts';
import { isLoopback } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createFeed, registerFeed } from './feed.ts';
import { createKeys, type StaffKeys } from './keys.ts';
import { createPasskeys, type StaffPasskeys } from './passkeys.ts';
import { createPush, type StaffPush } from './push.ts';
import { createRoles, type RolesService } from './roles.ts';
import {
  createStaffSessions,
  createStaffSignIn,
  longestMs,
  type StaffCaller,
  type StaffSessions,
  type StaffSignIn,
  type StartedSession,
} from './sign-in.ts';
import { deleteExpired, deviceMs } from './staff.repository.ts';
import {
  createDemoStaff,
  createStaffService,
  invitationLink,
  type StaffDeps,
  type StaffService,
} from './staff.service.ts';
import { createStations, type Stations, stationMs } from './stations.ts';

export function createStaffModule(
  deps: StaffDeps & { reach?: NetworkPolicy; passwords?: Passwords },
): ServerModule<{
  staff: StaffService;
  push: StaffPush;
  demoStaff: ReturnType<typeof createDemoStaff>;
  keys: StaffKeys;
}> {
  const { db, now } = deps;
  const passwords = deps.passwords ?? createPasswords();
  const stations = createStations(deps, passwords);
  const keys = createKeys(deps);
  const sessions = createStaffSessions(deps, stations, keys);
  const push = createPush(deps, sessions);
  const signIn = createStaffSignIn(deps, passwords, sessions);
  const staff = createStaffService(deps, passwords, sessions);
  const demoStaff = createDemoStaff(deps, sessions);
  const passkeys = createPasskeys(deps, sessions);
  const roles = createRoles(deps);
  const feed = createFeed({ db, now, sessions });
  return {
    services: { staff, push, demoStaff, keys },
    registerRoutes(app) {
      registerStaffRoutes(app, {
        ...deps,
        staff,
        demoStaff,
        keys,
        passkeys,
        roles,
        signIn,
        sessions,
        stations,
        push,
      });
      registerFeed(app, feed);
    },
    maintenance: [{ run: () => db.transaction((trx) => deleteExpired(trx, now())) }, { run: feed.trim }],
  };
}

interface StaffRoutes extends StaffDeps {
  settings: SettingsService;
  staff: StaffService;
  demoStaff: ReturnType<typeof createDemoStaff>;
  keys: StaffKeys;
  passkeys: StaffPasskeys;
  roles: RolesService;
  signIn: StaffSignIn;
  sessions: StaffSessions;
  stations: Stations;
  push: StaffPush;
}

/** Entries of the journal on a page. */
const journalPage = 50;
const journalInFile = 1000;
const revisionsPage = 20;
/** The host name of the page that a request comes from; that of the request where the browser names none. */
const originHost = ({ headers: { origin }, hostname }: FastifyRequest) =>
  origin === undefined ? hostname : URL.canParse(origin) ? new URL(origin).hostname : origin;

const callerOf = (request: FastifyRequest): StaffCaller => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
  device: deviceOfStaff(request),
});

function registerStaffRoutes(app: FastifyInstance, deps: StaffRoutes): void {
  app.decorate('staffDoor', deps.sessions);
  registerSignIn(app, deps);
  registerAccount(app, deps);
  registerPasskeys(app, deps);
  registerManagement(app, deps);
  registerRoles(app, deps);
  registerStations(app, deps);
  registerKeys(app, deps);
  registerPush(app, deps);
}

function registerSignIn(
  app: FastifyInstance,
  { staff, demoStaff, passkeys, signIn, sessions, stations, push }: StaffRoutes,
): void {
  const { watch } = app.securityLog;
  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    { token, device, staff: { id } }: StartedSession,
  ) => {
    sendStaffCookie(request, reply, token, longestMs);
    sendDeviceCookie(request, reply, device, deviceMs);
    return signIn.me(id);
  };
  serveStaff(app, 'signIn', async ({ body, request, reply }) =>
    enter(
      request,
      reply,
      await watch(request, 'staffSignIn', body.email, () => signIn.signIn(body, callerOf(request))),
    ),
  );
  serveStaff(app, 'signInOptions', async ({ request }) => ({
    passkeys: passkeys.available(request),
    demo: await demoStaff.people(),
  }));
  serveStaff(app, 'signInDemo', async ({ params, request, reply }) => {
    // A proxy that the configuration does not name, or another site's name for this machine, is no visit from this machine.
    if (!isLoopback(request.hostname) || !isLoopback(originHost(request))) throw notFound();
    return enter(request, reply, await demoStaff.signIn(params.id, callerOf(request)));
  });
  serveStaff(app, 'passkeySignIn', async ({ body, request, reply }) =>
    enter(
      request,
      reply,
      await watch(request, 'staffSignIn', undefined, () => passkeys.signIn(body, request, callerOf(request))),
    ),
  );
  serveStaff(app, 'invitation', ({ body, request }) => staff.invitation(body.token, callerOf(request)));
  serveStaff(app, 'acceptInvitation', async ({ body, request, reply }) =>
    enter(
      request,
      reply,
      await watch(request, 'staffAccept', undefined, () => staff.accept(body, callerOf(request))),
    ),
  );
  serveStaff(app, 'signOut', async ({ caller, request, reply }) => {
    const who = caller();
    await push.stop(who);
    await (who.station ? stations.end(who) : sessions.end(who.id, who.session));
    sendStaffCookie(request, reply, '', 0);
  });
  serveStaff(app, 'confirm', ({ body, caller, request }) =>
    watch(request, 'staffConfirm', undefined, () => signIn.confirm(caller(), body)),
  );
}

function registerAccount(
  app: FastifyInstance,
  { keys, settings, signIn, sessions, stations }: StaffRoutes,
): void {
  serveStaff(app, 'me', ({ caller }) => {
    const who = caller();
    return who.station ? stations.me(who) : who.key === undefined ? signIn.me(who.id) : keys.me(who);
  });
  serveStaff(app, 'setPin', ({ body, caller }) => stations.setPin(caller().id, body.pin));
  serveStaff(app, 'newSecondFactor', async ({ caller, lang }) => {
    const { shopName } = await settings.all();
    return signIn.newFactor(caller().id, inLocale(shopName, lang));
  });
  serveStaff(app, 'confirmSecondFactor', ({ body, caller }) => signIn.confirmFactor(caller(), body.code));
  serveStaff(app, 'mySessions', async ({ caller }) => ({ sessions: await sessions.list(caller()) }));
  serveStaff(app, 'endSession', ({ caller, params }) => sessions.end(caller().id, params.id));
}

function registerPasskeys(app: FastifyInstance, { settings, passkeys }: StaffRoutes): void {
  const { watch } = app.securityLog;
  const mine = async (id: string) => ({ passkeys: await passkeys.list(id) });
  serveStaff(app, 'passkeyOptions', ({ request }) => passkeys.options(request, callerOf(request)));
  serveStaff(app, 'confirmPasskey', ({ body, caller, request }) =>
    watch(request, 'staffConfirm', undefined, () => passkeys.confirm(caller(), body, request)),
  );
  serveStaff(app, 'myPasskeys', ({ caller }) => mine(caller().id));
  serveStaff(app, 'newPasskey', async ({ caller, lang, request }) => {
    const { shopName } = await settings.all();
    return passkeys.newOptions(caller().id, inLocale(shopName, lang), request);
  });
  serveStaff(app, 'addPasskey', async ({ body, caller, request }) => {
    await passkeys.add(caller(), body, request, callerOf(request));
    return mine(caller().id);
  });
  serveStaff(app, 'removePasskey', async ({ caller, params }) => {
    await passkeys.remove(caller().id, params.id);
    return mine(caller().id);
  });
}

function registerRoles(app: FastifyInstance, { changes, roles }: StaffRoutes): void {
  serveStaff(app, 'roles', async ({ permit }) => ({ roles: await roles.list(permit) }));
  serveStaff(app, 'addRole', async ({ body, permit }) => {
    await changes.run(permit.actor, 'role add', (change) => roles.save(change, permit, null, body));
    return { roles: await roles.list(permit) };
  });
  serveStaff(app, 'changeRole', async ({ body, params, permit }) => {
    await changes.run(permit.actor, 'role change', (change) => roles.save(change, permit, params.id, body));
    return { roles: await roles.list(permit) };
  });
  serveChange(
    app,
    'removeRole',
    ({ params, permit }) =>
      changes.run(permit.actor, 'role remove', (change) => roles.remove(change, permit, params.id)),
    async ({ permit }) => ({ roles: await roles.list(permit) }),
  );
}

function registerPush(app: FastifyInstance, { push }: StaffRoutes): void {
  serveStaff(app, 'push', async () => ({ key: await push.publicKey() }));
  serveStaff(app, 'startPush', ({ body, caller, lang }) => push.start(caller(), body, lang));
  serveStaff(app, 'stopPush', ({ caller }) => push.stop(caller()));
}

/** @throws {AppError} 404 for a store where the permit’s holder does not work */
function reached(permit: Permit, store: string): string {
  if (!permit.reaches(store)) throw notFound();
  return store;
}

function registerStations(app: FastifyInstance, { changes, sessions, stations }: StaffRoutes): void {
  const { watch } = app.securityLog;
  /** As the station is after a call that changed who is there. */
  const meOf = async (session: string) => {
    const signedIn = await sessions.check(session);
    if (!signedIn) throw notFound();
    return stations.me(signedIn);
  };
  serveStaff(app, 'stations', async ({ permit }) => ({ stations: await stations.list(permit) }));
  serveStaff(app, 'startStation', async ({ body, caller, permit, request, reply }) => {
    const token = await changes.run(permit.actor, 'station start', (change) =>
      stations.start(change, permit, body.store, caller(), callerOf(request)),
    );
    sendStaffCookie(request, reply, token, stationMs);
    const signedIn = await sessions.open(token, false);
    return meOf(signedIn?.session ?? '');
  });
  serveStaff(app, 'endStation', async ({ params, permit }) => {
    await changes.run(permit.actor, 'station end', (change) => stations.remove(change, permit, params.id));
    return { stations: await stations.list(permit) };
  });
  serveStaff(app, 'stationPeople', async ({ caller }) => ({ people: await stations.people(caller()) }));
  serveStaff(app, 'enterPin', async ({ body, caller, request }) => {
    await watch(request, 'staffPin', undefined, () => stations.enter(caller(), body));
    return meOf(caller().session);
  });
  serveStaff(app, 'leaveStation', async ({ caller }) => {
    await stations.leave(caller());
    return meOf(caller().session);
  });
}

function registerKeys(app: FastifyInstance, { changes, keys }: StaffRoutes): void {
  serveStaff(
    app,
    'addKey',
    async ({ body, caller, permit }) => {
      const key = await changes.run(permit.actor, 'staff keys add', (change) =>
        keys.add(change, permit, caller().id, body),
      );
      return { key, keys: await keys.list(permit) };
    },
    // What opens something is not stored, not even for a request that arrives again.
    { again: async ({ permit }) => ({ key: null, keys: await keys.list(permit) }) },
  );
  serveStaff(app, 'keys', async ({ permit }) => ({ keys: await keys.list(permit) }));
  serveChange(
    app,
    'endKey',
    ({ params, permit }) =>
      changes.run(permit.actor, 'staff keys end', (change) => keys.end(change, permit, params.id)),
    async ({ permit }) => ({ keys: await keys.list(permit) }),
  );
}

function registerManagement(app: FastifyInstance, { env, changes, staff, stores }: StaffRoutes): void {
  const origin = shopOrigin(app, env.officeUrl ?? env.publicUrl);
  serveStaff(app, 'staff', async ({ permit }) => ({ staff: await staff.list(permit) }));
  serveStaff(app, 'inviteStaff', async ({ body, permit }) => {
    const token = await changes.run(permit.actor, 'staff invite', (change) =>
      staff.invite(change, permit, body),
    );
    return { link: invitationLink(origin(), token) };
  });
  serveStaff(app, 'endInvitation', async ({ body, permit }) => {
    await changes.run(permit.actor, 'staff withdraw', (change) =>
      staff.endInvitation(change, permit, body.email),
    );
    return { staff: await staff.list(permit) };
  });
  serveStaff(app, 'changeStaff', async ({ body, params, permit }) => {
    await changes.run(permit.actor, 'staff change', (change) =>
      staff.change(change, permit, params.id, body),
    );
    return { staff: await staff.list(permit) };
  });
  serveStaff(app, 'journal', ({ query }) => journal(query, journalPage));
  serveStaff(app, 'exportJournal', ({ query }) => journal(query, journalInFile));

  serveStaff(app, 'productRevisions', ({ params, query }) =>
    revisions('product', params.product, query.before),
  );
  for (const kind of documentNames)
    serveStaff(app, documentCallNames(kind).revisions, ({ permit, params: { id }, query }) =>
      revisions(kind, documentKinds[kind].scope === 'store' ? reached(permit, id) : id, query.before),
    );

  async function revisions(kind: Kind, id: string, before: number | undefined): Promise<Revisions> {
    const [entries, names] = await Promise.all([
      changes.journal({ kind, id, before, most: revisionsPage + 1 }),
      staff.names(),
    ]);
    // Whatever is there was added by a change, which the journal has.
    if (entries.length === 0 && before === undefined) throw notFound();
    const page = entries.slice(0, revisionsPage);
    const backs = await changes.backs(page.map(({ no }) => no));
    const revisions = page.map(({ no, at, actor, action, fields }) => ({
      no,
      at,
      action,
      actor: actor.kind,
      by: actor.kind === 'staff' ? (names.get(actor.id) ?? '') : '',
      key: keyOf(actor),
      fields:
        backs.get(no)?.map(({ path, from, to }) => ({ path: [...path], from: to, to: from })) ??
        fields?.map(({ field, ...values }) => ({ path: field.split('.'), ...values })) ??
        null,
      isKept: backs.has(no) || isBeside({ kind, fields, action }),
    }));
    return { revisions, before: entries.length > revisionsPage ? (page.at(-1)?.no ?? null) : null };
  }

  async function journal(
    { kind, id, by, from, to, before }: StaffQuery<'journal'>,
    count: number,
  ): Promise<JournalPage> {
    const { from: since, to: until } = spanOf({ from, to }, await stores.timeZone());
    const actor = by === 'terminal' || by === 'system' ? by : by && actorText({ kind: 'staff', id: by });
    const asked = { kind, id, actor, since, until, before, most: count + 1 };
    const [entries, names] = await Promise.all([changes.journal(asked), staff.names()]);
    return {
      entries: entries.slice(0, count).map(({ actor: doer, ...entry }) => ({
        ...entry,
        actor: doer.kind,
        by: doer.kind === 'staff' ? (names.get(doer.id) ?? '') : '',
        key: keyOf(doer),
      })),
      before: entries.length > count ? (entries[count - 1]?.no ?? null) : null,
      people: [...names].map(([person, name]) => ({ id: person, name })),
    };
  }
}
