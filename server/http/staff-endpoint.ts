import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  clientTokenHeader,
  requestKeyForm,
  requestKeyHeader,
  staffBase,
  staffToken,
} from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { changesOf, Done, lang, type StaffEndpoint } from '#contract/staff/endpoint.ts';
import {
  type NeededBy,
  type StaffBody,
  type StaffEndpointName,
  type StaffParams,
  type StaffQuery,
  type StaffResponse,
  staffEndpoints,
} from '#contract/staff/endpoints.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import { type Actor, actorText } from '#server/platform/actors.ts';
import { requireRange } from '#server/platform/day-span.ts';
import { AppError } from '#server/platform/errors.ts';
import { localeOf } from '#server/platform/i18n.ts';
import { mintPermit, type Permit } from '#server/platform/permits.ts';
import type { KeyedRequest } from '#server/platform/request-keys/request-keys.ts';
import { momentAt } from '#server/platform/time-zone.ts';
import { asHandler, Tried } from '#server/platform/trials.ts';
import { createTurns } from '#server/platform/turns.ts';
import { bodyLimit } from './errors.ts';
import { cookieOf, isSecure, securePrefix } from './session-cookie.ts';
import { createSerializer, createValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The staff module decorates the server with it. */
    staffDoor: {
      open(token: string, changes: boolean): Promise<SignedIn | null>;
      /** @throws {AppError} RATE_LIMITED */
      openByKey(token: string): Promise<SignedIn | null>;
    };
  }
}

export interface SignedIn {
  id: string;
  session: string;
  may: ReadonlySet<Permission>;
  /** What they may do once they have a second factor. */
  waiting?: readonly Permission[];
  /** Ids of the stores they work in; null: all of them. */
  stores: readonly string[] | null;
  /** Whether password and second factor were shown within `freshMs`. */
  fresh: boolean;
  /** At a station, the name of who entered a PIN; null if nobody did. `id` is then the station's. */
  station?: { person: string | null };
  /** Of a program, the name of its key. `id` is then of its person, and `session` of the key. */
  key?: string;
  /** Of a program: how much it may refund of an order, cents. */
  mostRefund?: number;
}

export interface StaffCall<N extends StaffEndpointName> {
  params: StaffParams<N>;
  query: StaffQuery<N>;
  body: StaffBody<N>;
  lang: Locale;
  /** For calls that need no permission: never minted. */
  permit: Permit<NeededBy<N>>;
  /** @throws {AppError} AUTHORIZATION_ERROR for a call of somebody who is not signed in */
  caller: () => SignedIn;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** An answer that the browser keeps as a file. */
export class Download {
  readonly name: string;
  readonly type: string;
  readonly body: Readable;

  constructor(name: string, type: string, body: Readable) {
    this.name = name;
    this.type = type;
    this.body = body;
  }
}

/** A call that says no more than that it is done may return nothing. */
type StaffAnswer<N extends StaffEndpointName> =
  | Promise<StaffResponse<N> | Readable | Download>
  | (typeof done extends StaffResponse<N> ? Promise<void> : never);
const done: Static<typeof Done> = { done: true };

const cookieName = 'staff';

interface ServeOptions<N extends StaffEndpointName> {
  /** Of the body, bytes. */
  limit?: number;
  /** Answers a call that was made before, by its key: for answers that are not stored, since they name people or are documents. */
  again?: (call: StaffCall<N>) => StaffAnswer<N>;
}

/** Serves what changes something, and is answered with what is read then: the same for a request that is sent again. */
export function serveChange<N extends StaffEndpointName>(
  app: FastifyInstance,
  name: N,
  change: (call: StaffCall<N>) => Promise<unknown>,
  read: (call: StaffCall<N>) => StaffAnswer<N>,
): void {
  serveStaff(app, name, (call) => change(call).then(() => read(call)) as StaffAnswer<N>, { again: read });
}

/** Who may not make the call is refused before anything of the request is validated. */
export function serveStaff<N extends StaffEndpointName>(
  app: FastifyInstance,
  name: N,
  handler: (call: StaffCall<N>) => StaffAnswer<N>,
  { limit = bodyLimit, again }: ServeOptions<N> = {},
): void {
  const endpoint: StaffEndpoint = staffEndpoints[name];
  const [method = '', path = ''] = endpoint.route.split(' ');
  const validate = {
    params: endpoint.params ? createValidator(endpoint.params, 'params') : () => undefined,
    query: createValidator(endpoint.query ?? lang, 'query'),
    body: endpoint.body ? createValidator(endpoint.body, 'body') : () => undefined,
  };
  const print = createSerializer(endpoint.response, app.contract.checkAnswers);
  app.route({
    method,
    url: staffBase + path,
    bodyLimit: limit,
    handler: async (request, reply) => {
      // Another site can make a browser send a cookie, but neither of these headers.
      if (
        changesOf(endpoint) &&
        bearerOf(request) === undefined &&
        request.headers[clientTokenHeader] !== staffToken
      )
        throw new AppError('FORBIDDEN', { errorKey: 'error.forbidden' });
      const signedIn = endpoint.needs === 'nobody' ? null : await admit(app, request, endpoint);
      const permit =
        signedIn && endpoint.needs !== 'anybody' && endpoint.needs !== 'nobody'
          ? mintPermit(endpoint.needs, actorOf(signedIn), signedIn.stores, {
              also: (endpoint.also ?? []).filter((each) => signedIn.may.has(each)),
              isUnattended: signedIn.station?.person === null,
            })
          : null;
      const call = {
        params: validate.params(request.params),
        query: validate.query(request.query),
        body: validate.body(request.body),
        lang: localeOf(request.query),
        permit,
        caller: () => signedIn ?? signInNeeded(),
        request,
        reply,
      } as StaffCall<N>;
      const printed = async (answer: StaffAnswer<N>) => print((await answer) ?? done);
      const keyed =
        signedIn && takesKey(endpoint, request, again !== undefined)
          ? keyedRequest(request, name, signedIn)
          : null;
      const { requestKeys } = app.contract;
      const handled = () => asHandler(() => handler(call));
      const answered = () =>
        !keyed
          ? handled()
          : again
            ? requestKeys.done(
                keyed,
                () => printed(handled()),
                () => printed(again(call)),
              )
            : requestKeys.answer(keyed, () => printed(handled()));
      const answer = await orTried(() => (isLarge(request) ? turns(async () => answered()) : answered()));
      reply.header('cache-control', 'no-store');
      if (answer === tried) return reply.send({});
      if (answer instanceof Download)
        return reply
          .header('content-disposition', `attachment; filename="${answer.name}"`)
          .type(answer.type)
          .send(answer.body);
      // Proxies must not wait for the end of a stream of events.
      if (answer instanceof Readable)
        return reply.header('x-accel-buffering', 'no').type('text/event-stream').send(answer);
      return reply.type('application/json; charset=utf-8').send(keyed ? answer : print(answer ?? done));
    },
  });
}

/** Checking the thousands of fields of a large document takes the thread for long: one at a time, and shoppers are answered between two. */
const turns = createTurns();
/** Of a body, bytes. A form of many fields has a tenth of it. */
const large = 16_384;
const isLarge = ({ headers }: FastifyRequest) =>
  Number(headers['content-length'] ?? 0) > large && headers['content-type']?.includes('json') === true;

/** What is only tried has no answer: its trial says what it would do. */
const tried = Symbol('tried');
async function orTried<T>(work: () => Promise<T> | T): Promise<T | typeof tried> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Tried) return tried;
    throw error;
  }
}

const actorOf = ({ id, key, mostRefund = 0 }: SignedIn): Actor => ({
  kind: 'staff',
  id,
  ...(key === undefined ? {} : { key, mostRefund }),
});

/**
 * Other calls than those that are refused without a key may have one, if it is known without storing it what they answered: then what
 * was seen, or is used up, is no conflict of a request with its own first arrival.
 */
function takesKey(
  { repeat, response }: StaffEndpoint,
  { headers }: FastifyRequest,
  isReadAgain: boolean,
): boolean {
  if (repeat === 'key') return true;
  const mayHaveOne = (repeat === 'seen' || repeat === 'used') && (isReadAgain || response === Done);
  return mayHaveOne && headers[requestKeyHeader] !== undefined;
}

/** Whose the key of a request is. What a device sends again is the same, whoever enters a PIN meanwhile. */
function ownerOf({ id, session, station, key }: SignedIn): string {
  if (station) return `station:${session}`;
  return key === undefined ? actorText({ kind: 'staff', id }) : `key:${session}`;
}

/** @throws {AppError} for a call without a key */
function keyedRequest(request: FastifyRequest, name: StaffEndpointName, signedIn: SignedIn): KeyedRequest {
  const key = request.headers[requestKeyHeader];
  if (typeof key !== 'string' || !requestKeyForm.test(key))
    throw new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.malformed' });
  const { response, repeat }: StaffEndpoint = staffEndpoints[name];
  return {
    owner: ownerOf(signedIn),
    key,
    asked: [name, request.params, request.body],
    // What is removed in pieces is answered once the last one is gone.
    ...(response === Done && repeat === 'key' ? { answer: JSON.stringify(done) } : {}),
  };
}

async function admit(
  app: FastifyInstance,
  request: FastifyRequest,
  endpoint: StaffEndpoint,
): Promise<SignedIn> {
  const { needs, fresh, station, keys } = endpoint;
  const changes = changesOf(endpoint);
  const signedIn = await signedInBy(app, request, changes);
  if (!signedIn) return signInNeeded();
  const isOpen = signedIn.key === undefined ? !signedIn.station || station !== undefined : keys === 'too';
  const isPermitted =
    needs === 'nobody' ||
    (needs === 'anybody'
      ? isOpen
      : signedIn.may.has(needs) && !(signedIn.key !== undefined && keys === 'never'));
  if (!isPermitted && signedIn.waiting?.some((each) => each === needs))
    throw new AppError('FORBIDDEN', { errorKey: 'staff.factorNeeded' });
  // A PIN is never password and second factor.
  if (!isPermitted || (signedIn.station ? fresh : station === 'only'))
    throw new AppError('FORBIDDEN', { errorKey: 'error.forbidden' });
  if (changes && signedIn.station?.person === null && station !== 'only')
    throw new AppError('FORBIDDEN', { errorKey: 'staff.pinNeeded' });
  if (fresh && !signedIn.fresh) throw new AppError('FORBIDDEN', { errorKey: 'staff.confirmNeeded' });
  return signedIn;
}

/** The key of a program; null for one that can be none, undefined where the request brings none. */
export function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string | null | undefined {
  const [scheme = '', key = ''] = authorization.split(/ +/, 2);
  // A proxy may ask for another scheme, which browsers then send with each request.
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  return /^[\w-]{1,100}$/.test(key) ? key : null;
}

/** By the key of a program if the request brings one, whatever cookies it has; else by its session. */
async function signedInBy(
  app: FastifyInstance,
  request: FastifyRequest,
  changes: boolean,
): Promise<SignedIn | null> {
  const key = bearerOf(request);
  if (key !== undefined) return key === null ? null : app.staffDoor.openByKey(key);
  const token = tokenOf(request);
  return token === null ? null : app.staffDoor.open(token, changes);
}

/** Whether the request is of somebody who is signed in to the office; at a station that is enough. */
export async function isStaff(app: FastifyInstance, request: FastifyRequest): Promise<boolean> {
  const token = tokenOf(request);
  return token !== null && (await app.staffDoor.open(token, false)) !== null;
}

function signInNeeded(): never {
  throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'staff.signInNeeded' });
}

function tokenOf(request: FastifyRequest): string | null {
  const token = cookieOf(request.headers.cookie, nameFor(request));
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

const deviceCookie = 'staff_device';
const deviceNameFor = (request: FastifyRequest) =>
  isSecure(request) ? `__Secure-${deviceCookie}` : deviceCookie;

/** By which the browser is known to people who signed in there; null for none. It opens nothing. */
export function deviceOfStaff(request: FastifyRequest): string | null {
  const token = cookieOf(request.headers.cookie, deviceNameFor(request));
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

export function sendDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeMs: number,
): void {
  const secure = isSecure(request) ? '; Secure' : '';
  const text = `${deviceNameFor(request)}=${token}; Path=${staffBase}; Max-Age=${Math.floor(maxAgeMs / 1000)}; HttpOnly; SameSite=Strict${secure}`;
  reply.header('set-cookie', text);
}

const nameFor = (request: FastifyRequest) => (isSecure(request) ? securePrefix + cookieName : cookieName);

/** An empty token deletes it. The session itself may end sooner than `maxAgeMs`. */
export function sendStaffCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeMs: number,
): void {
  const secure = isSecure(request) ? '; Secure' : '';
  const maxAge = token === '' ? 0 : Math.floor(maxAgeMs / 1000);
  reply.header(
    'set-cookie',
    `${nameFor(request)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`,
  );
}

/** Both days are whole. @throws {AppError} for days that do not exist or are no range */
export function spanOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { from?: number; to?: number } {
  requireRange({ from, to });
  return {
    ...(from === undefined ? {} : { from: momentAt(from, 0, timeZone) }),
    ...(to === undefined ? {} : { to: momentAt(to, 24 * 60, timeZone) }),
  };
}
