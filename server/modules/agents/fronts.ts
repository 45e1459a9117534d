/** The two fronts of the operations: REST, and MCP over streamable HTTP (JSON-RPC 2.0). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOffered, type Locale, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { AgentCall, Gate } from './gate.ts';
import { type Operation, operations } from './operations.ts';
import {
  type Answer,
  type Body,
  currentVersion,
  invalidRequest,
  isRecord,
  type Offer,
  offeredCapabilities,
  ProtocolError,
  protocolErrorOf,
} from './protocol.ts';
import { type OperationName, restRoutes } from './routes.ts';
import type { AgentKeys } from './signatures.ts';
import { signAnswer } from './signatures.ts';
import { textOfAnswer } from './texts.ts';

export interface Front {
  gate: Gate;
  keys: AgentKeys;
  now: () => number;
  origin: () => string;
  offer: () => Promise<Offer>;
}

const json = 'application/json';

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other;
}

async function send(
  front: Front,
  reply: FastifyReply,
  { status, body, headers = {} }: Answer,
): Promise<FastifyReply> {
  const text = JSON.stringify(body);
  const signed = signAnswer(status, json, text, await front.keys.signing(), front.now());
  // To the type of bytes nothing is added.
  return reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'content-type': json, ...headers, ...signed })
    .send(Buffer.from(text));
}

export async function answerRest(
  front: Front,
  name: OperationName,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw new Error(`There is no operation ${name}`);
    const { id = '' } = request.params as { id?: string };
    const { argument } = operation;
    const input =
      argument === null ? null : parsed(request.body ?? '{}', () => invalidRequest('The body is not JSON.'));
    const call = { ...httpCall(request), id, input, locale: localeIn(request, input) };
    return await send(front, reply, await front.gate.answer(operation, call));
  } catch (error) {
    const said = protocolErrorOf(error, localeIn(request));
    return await send(front, reply, { status: said.status, body: said.body, headers: waitOf(said) });
  }
}

const waitOf = ({ retryAfterS }: ProtocolError): Record<string, string> =>
  retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };

function httpCall(request: FastifyRequest): Omit<AgentCall, 'id' | 'input'> {
  const { headers, method, url, ip } = request;
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : null);
  const [, profile = null] = /(?:^|[,\s])profile="([^"]*)"/.exec(text('ucp-agent') ?? '') ?? [];
  const body = request.body instanceof Buffer ? request.body : null;
  return {
    profile,
    key: text('idempotency-key'),
    locale: localeIn(request),
    address: ip,
    signed: { method, authority: request.host, url, headers, body },
  };
}

function parsed(body: unknown, problem: () => ProtocolError): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw problem();
  }
}

/** The first of the wanted languages that the shop has: of the request's context, then of its header. */
function localeIn({ headers }: Pick<FastifyRequest, 'headers'>, input?: unknown): Locale {
  const context = isRecord(input) && isRecord(input.context) ? input.context : {};
  const said = [textOr(context.language, ''), ...(headers['accept-language'] ?? '').split(',')];
  const wanted = said.map((part) => part.trim().slice(0, 2).toLowerCase());
  return offeredLocales().find((locale) => wanted.find((each) => isOffered(each)) === locale) ?? mainLocale();
}

/** The first has no sessions: each request says what it needs. The others begin with `initialize`. */
const mcpVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
const [statelessMcp, newestSession] = mcpVersions;
const mcpMeta = (name: string) => `io.modelcontextprotocol/${name}`;
const serverInfo = { name: 'shopwright', version: currentVersion };

interface Rpc {
  id?: string | number | null;
  method?: unknown;
  params?: Record<string, unknown>;
}

class RpcError extends ProtocolError {
  readonly data: Body | undefined;

  constructor(rpc: number, message: string, status = 200, data?: Body) {
    super(status, '', message, { rpc });
    this.data = data;
  }
}

export async function answerMcp(
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let rpc: Rpc = {};
  try {
    requireOwnOrigin(request, front.origin());
    rpc = rpcIn(request.body);
    // A notification is not answered.
    if (rpc.id === undefined) return await reply.status(202).send();
    const isStateless = requireStateless(rpc, request);
    const found = await resultOf(front, rpc, request, isStateless);
    const result = isStateless ? { ...found, _meta: { [mcpMeta('serverInfo')]: serverInfo } } : found;
    return await send(front, reply, { status: 200, body: { jsonrpc: '2.0', id: rpc.id, result } });
  } catch (error) {
    const said = protocolErrorOf(error, localeIn(request));
    const { rpc: code, message, status, retryAfterS } = said;
    const told = {
      code: said.code,
      content: message,
      messages: said.messages,
      retry_after: retryAfterS ?? undefined,
    };
    const data = said instanceof RpcError ? said.data : told;
    const body = { jsonrpc: '2.0', id: rpc.id ?? null, error: { code, message, data } };
    return await send(front, reply, { status, body, headers: waitOf(said) });
  }
}

/** A page of another site could reach a shop that only this machine reaches (DNS rebinding). Agents send no origin. */
function requireOwnOrigin({ headers, host }: FastifyRequest, shop: string): void {
  if (headers.origin === undefined) return;
  const from = URL.parse(headers.origin);
  const isLocal = from?.host === host && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(from.hostname);
  if (!isLocal && from?.origin !== new URL(shop).origin)
    throw new RpcError(-32000, 'Pages of other sites are not served.', 403);
}

function rpcIn(body: unknown): Rpc {
  const rpc = parsed(body, () => new RpcError(-32700, 'The body is not JSON.', 400));
  if (!isRecord(rpc) || rpc.jsonrpc !== '2.0' || typeof rpc.method !== 'string')
    throw new RpcError(-32600, 'This is no request of JSON-RPC 2.0.', 400);
  return rpc;
}

/** Whether the request is one without a session. @throws {RpcError} for one that does not say what it has to */
function requireStateless({ method, params = {} }: Rpc, { headers }: FastifyRequest): boolean {
  const meta = recordOf(params._meta);
  const version = meta[mcpMeta('protocolVersion')];
  const header = (name: string) => String(headers[name] ?? '').trim();
  const inHeader = header('mcp-protocol-version');
  const isSession =
    inHeader === '' || (inHeader !== statelessMcp && mcpVersions.some((each) => each === inHeader));
  if (version === undefined && method !== 'server/discover' && isSession) return false;
  const refuse = (code: number, message: string, data?: Body) => new RpcError(code, message, 400, data);
  const missing = ['protocolVersion', 'clientCapabilities']
    .map(mcpMeta)
    .filter((name) => meta[name] === undefined);
  if (missing.length > 0) throw refuse(-32602, `_meta lacks ${missing.join(' and ')}.`);
  if (version !== inHeader) throw refuse(-32020, 'MCP-Protocol-Version is not that of _meta.');
  if (version !== statelessMcp)
    throw refuse(-32022, 'This version of MCP is not supported.', {
      supported: mcpVersions,
      requested: version,
    });
  if (header('mcp-method') !== method) throw refuse(-32020, 'Mcp-Method is not that of the body.');
  if (method === 'tools/call' && header('mcp-name') !== params.name)
    throw refuse(-32020, 'Mcp-Name is not that of the body.');
  return true;
}

const isKept = { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' };
/** What a model has to know of all tools. */
const instructions = [
  'Amounts in fields are integers in the smallest unit of the currency (1850 in CAD is 18.50 dollars); texts say them in the usual form.',
  'Times are ISO 8601 with a zone; a pickup time may also be 15:40 in the time of the store.',
  'Products, variants, modifiers, stores, countries and provinces may be named by their ids or by the names that answers show.',
  'What is not named keeps its default: modifiers, the cheapest shipping, the earliest pickup.',
  'Find products with search_catalog, read choices with get_product, order with create_checkout and complete_checkout. update_checkout replaces the whole.',
  'Each message says what to do and, by its path, about which field. Show continue_url to the buyer where a person has to go on.',
].join(' ');
const can = { capabilities: { tools: {} }, instructions };

async function resultOf(
  front: Front,
  { method, params = {} }: Rpc,
  request: FastifyRequest,
  isStateless: boolean,
): Promise<Body> {
  if (method === 'tools/call') return callTool(front, params, request);
  if (method === 'tools/list') {
    const offered = offeredCapabilities(await front.offer(), currentVersion);
    const tools = ownOperations(request).filter(({ needs }) => offered.includes(needs));
    return { tools: tools.map(toolOf), ...isKept };
  }
  if (isStateless && method === 'server/discover')
    return { supportedVersions: mcpVersions, ...can, ...isKept };
  if (!isStateless && method === 'ping') return {};
  if (isStateless || method !== 'initialize')
    throw new RpcError(-32601, 'There is no such method.', isStateless ? 404 : 200);
  const protocolVersion =
    mcpVersions.slice(1).find((version) => version === params.protocolVersion) ?? newestSession;
  return { protocolVersion, ...can, serverInfo };
}

const recordOf = (value: unknown) => (isRecord(value) ? value : {});

async function callTool(
  { gate }: Front,
  params: Record<string, unknown>,
  request: FastifyRequest,
): Promise<Body> {
  const operation = ownOperations(request).find(({ name }) => toolName(name) === params.name);
  if (!operation) throw new RpcError(-32602, 'There is no such tool.');
  const { needsKey, argument } = operation;
  const given = recordOf(params.arguments);
  const meta = recordOf(given.meta);
  const http = httpCall(request);
  const key = textOr(meta['idempotency-key'], http.key);
  if (needsKey && key === null) throw new RpcError(-32602, 'meta["idempotency-key"] is missing.');
  const input = argument === null ? null : given[argument];
  if (argument !== null && !isRecord(input)) throw new RpcError(-32602, `${argument} is missing.`);
  const profile = textOr(recordOf(meta['ucp-agent']).profile, http.profile);
  const locale = localeIn(request, input);
  const { body } = await gate.answer(operation, {
    ...http,
    profile,
    key,
    id: textOr(given.id, ''),
    input,
    locale,
  });
  const content = [{ type: 'text', text: textOfAnswer(body, locale) }];
  return { structuredContent: body, content, isError: false, resultType: 'complete' };
}

const amount = {
  type: 'integer',
  description: 'In the smallest unit of the currency: 1850 in CAD is 18.50 dollars.',
};
const money = {
  type: 'object',
  properties: { amount, currency: { type: 'string', description: 'ISO 4217.' } },
};
const list = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
const time = { type: 'string', description: 'ISO 8601 with a zone.' };
const totals = list({ type: { type: 'string' }, amount });
const messages = list({
  type: { type: 'string', description: 'error, warning or info.' },
  content: { type: 'string', description: 'What to do.' },
  path: { type: 'string', description: 'JSONPath of the field in the request that it is about.' },
});
const variants = list({ id: { type: 'string', description: 'Names the variant in a line.' }, price: money });
const product = {
  title: { type: 'string' },
  price_range: { type: 'object', properties: { min: money, max: money } },
  variants,
};
const option = {
  id: { type: 'string' },
  earliest_fulfillment_time: time,
  latest_fulfillment_time: time,
  totals,
};
const groups = list({ options: list(option), selected_option_id: { type: 'string' } });

/** The parts of an answer whose units or use are not plain. */
function outputOf(name: string): Body {
  const parts: Body = name.includes('catalog')
    ? { products: list(product) }
    : name === 'get_product'
      ? { product: { type: 'object', properties: product } }
      : name.includes('location')
        ? {}
        : {
            line_items: list({ quantity: { type: 'integer' }, totals }),
            totals,
            fulfillment: { type: 'object', properties: { methods: list({ groups }) } },
          };
  return { type: 'object', properties: { ucp: { type: 'object' }, messages, ...parts }, required: ['ucp'] };
}

const isFood = (text: string) => /(^|\/)food[./]/.test(text);
/** Of the service at whose address the call arrived. */
const ownOperations = ({ url }: FastifyRequest) =>
  operations.filter(({ name }) => isFood(name) === isFood(url));
const toolName = (name: string) => name.replace('food.', '');

function toolOf({ name, summary, argument, input, needsKey, changes }: Operation): Body {
  const text = { type: 'string' };
  const meta = {
    type: 'object',
    properties: {
      'ucp-agent': {
        type: 'object',
        properties: { profile: { type: 'string', format: 'uri' } },
        required: ['profile'],
      },
      'idempotency-key': text,
    },
    required: ['ucp-agent', ...(needsKey ? ['idempotency-key'] : [])],
  };
  const hasId = restRoutes[name].includes(':id');
  const properties = { meta, ...(hasId ? { id: text } : {}), ...(argument ? { [argument]: input } : {}) };
  const required = ['meta', ...(hasId ? ['id'] : []), ...(argument ? [argument] : [])];
  return {
    name: toolName(name),
    description: summary,
    inputSchema: { type: 'object', properties, required },
    outputSchema: outputOf(name),
    annotations: { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false },
  };
}
