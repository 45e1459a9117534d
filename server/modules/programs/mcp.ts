/**
 * The merchant's own agent: the calls of the office over MCP, for keys. Each tool makes its call as any request does, so rights, limits
 * and checks are those of the call. What changes something is tried first, and made with the token of the trial.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestKeyHeader, staffBase } from '#contract/limits.ts';
import { isOffered, type Locale, mainLocale } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Database, Trx } from '#db/database.ts';
import { answerMcp, isRecord, type RpcBody, RpcError, recordOf } from '#server/http/mcp.ts';
import { bearerOf, type SignedIn } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { inCourse, type Trial } from '#server/platform/trials.ts';
import { bounded } from './bounded.ts';
import { listed, type Tool, tokenArgument, tokenSchema, toolsFor } from './tools.ts';
import { findTrial, insertTrial, takeTrial } from './trials.repository.ts';
import { canUndo, hasBefore, undoOf } from './undo.ts';
import { countsOf, linesOf } from './words.ts';

export interface ProgramsDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  settings: SettingsService;
}

/** How long a trial can be made the change, ms. */
export const trialMs = 10 * minuteMs;
const serverInfo = { name: 'shopwright-office', version: '1' };
const instructions = [
  'These tools are the calls of the shop’s office, within the rights of your key.',
  'Amounts are integers in the smallest unit of the currency (1850 in CAD is 18.50 dollars); percentages and times say their unit.',
  'Reading is free. A tool that changes something is first called without token: nothing changes, and the answer says what would change and how many things it touches, with a token. Show that to the person, and call again with the same arguments and the token. A token works once, for ten minutes, and only while everything is as it was in the trial.',
  'The change answers with its entries in the journal; undo takes one back, where that can be done.',
  'Before saving a document, read it: save takes its revision and edits by path. Long answers are shortened, and say what was left out: ask for less, or for the next page.',
].join(' ');

const undoTool = {
  name: 'undo',
  description:
    'Takes back what one entry of the journal says, if nothing has changed the thing since. A change: try it first, then send it again with the token. Changes of many products are taken back by takeGoodsChangeBack.',
  inputSchema: {
    type: 'object',
    properties: {
      entry: { type: 'integer', description: 'The number of the entry, as the change answered it.' },
      [tokenArgument]: tokenSchema,
    },
    required: ['entry'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
};

interface Caller {
  request: FastifyRequest;
  who: SignedIn;
  tools: readonly Tool[];
}

interface Asked {
  tool: Tool;
  given: RpcBody;
  locale: Locale;
  token: string | null;
}

export async function serveMcp(
  app: FastifyInstance,
  deps: ProgramsDeps & { origin: () => string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = bearerOf(request);
  // Only by a key: a session's cookie comes along whoever makes the browser call.
  const who = key ? await app.staffDoor.openByKey(key) : null;
  if (!who) {
    reply.header('www-authenticate', 'Bearer');
    throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'staff.signInNeeded' });
  }
  const caller = { request, who, tools: toolsFor(who.may) };
  const {
    status,
    body,
    headers = {},
  } = await answerMcp(
    {
      serverInfo,
      instructions,
      origin: deps.origin(),
      list: async () => ({ tools: [...caller.tools.map(listed), undoTool] }),
      call: (params) => callTool(app, deps, caller, params),
      failureOf(error) {
        throw error;
      },
    },
    request,
  );
  reply.status(status).headers({ 'cache-control': 'no-store', ...headers });
  return body === undefined
    ? reply.send()
    : reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

async function callTool(
  app: FastifyInstance,
  deps: ProgramsDeps,
  caller: Caller,
  { name, arguments: said }: RpcBody,
): Promise<RpcBody> {
  const given = recordOf(said);
  const locale = typeof given.lang === 'string' && isOffered(given.lang) ? given.lang : mainLocale();
  const token = typeof given[tokenArgument] === 'string' ? given[tokenArgument] : null;
  const run = (toolName: unknown, values: RpcBody) => {
    const tool = caller.tools.find((each) => each.name === toolName);
    if (!tool) throw new RpcError(-32602, 'There is no such tool.');
    const asked = { tool, given: values, locale, token };
    const unknown = unknownArgument(asked);
    if (unknown !== undefined) return refused(`There is no argument ${unknown}.`);
    if (!tool.changes) return read(app, caller, asked);
    return token === null ? tried(app, deps, caller, asked) : done(app, deps, caller, { ...asked, token });
  };
  if (name !== undoTool.name) return run(name, given);
  const { entry } = given;
  if (typeof entry !== 'number' || !Number.isSafeInteger(entry) || entry < 1)
    return refused('entry is the number of an entry of the journal.');
  const step = await undoOf(deps.changes, entry, (number) => versionOf(app, caller, number));
  if (typeof step === 'string') return refused(staffTranslate(locale)(step));
  return run(step.name, step.arguments);
}

const unknownArgument = ({ tool, given }: Asked): string | undefined => {
  const known = [
    ...tool.params,
    ...tool.query,
    ...(tool.endpoint.body ? ['body'] : []),
    ...(tool.changes ? [tokenArgument] : []),
  ];
  return Object.keys(given).find((each) => !known.includes(each));
};

/** The version of an order that the key sees on the desk. */
async function versionOf(app: FastifyInstance, caller: Caller, number: string): Promise<number | null> {
  const tool = caller.tools.find(({ name }) => name === 'deskOrders');
  if (!tool) return null;
  const { body } = await send(app, caller, { tool, given: { numbers: number }, locale: mainLocale() });
  const [order] = (recordOf(body).orders ?? []) as { number: string; version: number }[];
  return order?.number === number ? order.version : null;
}

type Sent = Omit<Asked, 'token'> & { once?: string };

/** Makes the call, as a request of its own. */
async function send(
  app: FastifyInstance,
  { request }: Caller,
  { tool, given, locale, once }: Sent,
): Promise<{ status: number; body: unknown }> {
  const [method = 'GET', path = ''] = tool.endpoint.route.split(' ');
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(textOf(given[key]) || ' '));
  const query = new URLSearchParams({ lang: locale });
  for (const key of tool.query) if (given[key] !== undefined) query.set(key, textOf(given[key]));
  const hasBody = tool.endpoint.body !== undefined;
  const answer = await app.inject({
    method: method as 'GET' | 'POST',
    url: `${staffBase}${filled}?${query}`,
    remoteAddress: request.ip,
    headers: {
      host: request.host,
      authorization: request.headers.authorization ?? '',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(once === undefined ? {} : { [requestKeyHeader]: once }),
    },
    ...(hasBody ? { payload: JSON.stringify(given.body ?? {}) } : {}),
  });
  return { status: answer.statusCode, body: parsed(answer.body) };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : value === undefined ? '' : String(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function read(app: FastifyInstance, caller: Caller, asked: Asked): Promise<RpcBody> {
  const { status, body } = await send(app, caller, asked);
  return status === 200 ? answered(body) : refusedAs(body);
}

/** Makes the change up to its commit, and keeps what it saw. */
async function tried(
  app: FastifyInstance,
  deps: ProgramsDeps,
  caller: Caller,
  asked: Asked,
): Promise<RpcBody> {
  const trial: Trial = { foreseen: [], more: 0, seen: [], isUnsaid: false, isBatch: false };
  const { status, body } = await inCourse({ trial }, () =>
    send(app, caller, { ...asked, once: randomUUID() }),
  );
  if (status !== 200) return refusedAs(body);
  const { locale, tool } = asked;
  const t = staffTranslate(locale);
  const { foreseen, more, isUnsaid } = trial;
  const { touches, kinds } = countsOf(foreseen, more);
  if (touches === 0 && !isUnsaid)
    return answered({ changes: [], touches: 0, says: t('staff.trial.nothing') });
  const token = randomBytes(32).toString('base64url');
  const expiresAt = deps.now() + trialMs;
  await deps.db.transaction((trx) =>
    insertTrial(trx, {
      token_hash: hash('sha256', token),
      key_id: caller.who.session,
      asked: askedHash(asked),
      seen: JSON.stringify({ isBatch: trial.isBatch, seen: trial.seen }),
      expires_at: expiresAt,
      used_by: null,
    }),
  );
  const { currency } = await deps.settings.all();
  return answered({
    says:
      touches === 0
        ? t('staff.trial.unsaid', { what: tool.endpoint.summary })
        : t('staff.trial.touches', { count: touches }),
    touches,
    kinds,
    changes: linesOf(foreseen, { more, locale, currency }),
    [tokenArgument]: token,
    expiresAt,
  });
}

const askedHash = ({ tool, given: { [tokenArgument]: _token, lang: _lang, ...rest } }: Asked): string =>
  hash('sha256', JSON.stringify([tool.name, sorted(rest)]));

/** The same for the same values, whatever the order of their fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}

/** Makes the change that was tried, if all is as it was. */
async function done(
  app: FastifyInstance,
  { db, now, changes }: ProgramsDeps,
  caller: Caller,
  asked: Asked & { token: string },
): Promise<RpcBody> {
  const { locale, token } = asked;
  const t = staffTranslate(locale);
  const tokenHash = hash('sha256', token);
  const row = await findTrial(db.read, tokenHash, now());
  if (row?.key_id !== caller.who.session) return refused(t('staff.trial.unknown'));
  if (row.used_by !== null) return refused(t('staff.trial.used'));
  if (row.asked !== askedHash(asked)) return refused(t('staff.trial.other'));
  const request = randomUUID();
  const entries = new Set<number>();
  const { isBatch, seen } = JSON.parse(row.seen) as Pick<Trial, 'isBatch' | 'seen'>;
  const tested = {
    seen: new Set(seen),
    isBatch,
    entries,
    async take(trx: Trx) {
      const taken = await takeTrial(trx, tokenHash, request);
      if (taken === null) throw new AppError('CONFLICT', { errorKey: 'staff.trial.used' });
      return taken === 'before';
    },
  };
  const { status, body } = await inCourse({ tested }, () =>
    send(app, caller, { ...asked, once: tokenHash.slice(0, 40) }),
  );
  if (status !== 200) return refusedAs(body);
  const noted = await Promise.all(
    [...entries].slice(0, 50).map(async (no) => {
      const [entry] = await changes.journal({ before: no + 1, most: 1 });
      if (!entry) return { no };
      const { kind, id } = entry;
      return { no, kind, id, canUndo: canUndo(entry) && (await hasBefore(changes, entry)) };
    }),
  );
  return answered({ done: true, entries: noted, answer: body });
}

function answered(value: unknown): RpcBody {
  const { value: shorter, left } = bounded(value);
  const structuredContent = {
    ...(isRecord(shorter) ? shorter : { answer: shorter }),
    ...(left.length > 0 ? { leftOut: left.slice(0, 20) } : {}),
  };
  return {
    structuredContent,
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    isError: false,
    resultType: 'complete',
  };
}

const refused = (text: string): RpcBody => ({
  content: [{ type: 'text', text }],
  isError: true,
  resultType: 'complete',
});

/** What the call refused, in its words, at its fields. */
function refusedAs(body: unknown): RpcBody {
  const { message, errors } = recordOf(body);
  const fields = Object.entries(recordOf(errors)).map(([field, text]) => `${field}: ${String(text)}`);
  return refused([typeof message === 'string' ? message : 'The call failed.', ...fields].join('\n'));
}
