/** The two fronts of the operations: REST, and MCP over streamable HTTP (JSON-RPC 2.0). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOffered, type Locale, mainLocale, offeredLocales } from '#contract/locales.ts';
import {
  answerMcp as answerRpc,
  isKept,
  isRecord,
  RpcError,
  type RpcFailure,
  recordOf,
} from '#server/http/mcp.ts';
import type { AgentCall, Gate } from './gate.ts';
import { type Operation, operations } from './operations.ts';
import {
  type Answer,
  type Body,
  currentVersion,
  invalidRequest,
  type Offer,
  offeredCapabilities,
  type ProtocolError,
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

const serverInfo = { name: 'shopwright', version: currentVersion };

/** What a model has to know of all tools. */
const instructions = [
  'Amounts in fields are integers in the smallest unit of the currency (1850 in CAD is 18.50 dollars); texts say them in the usual form.',
  'Times are ISO 8601 with a zone; a pickup time may also be 15:40 in the time of the store.',
  'Products, variants, modifiers, stores, countries and provinces may be named by their ids or by the names that answers show.',
  'What is not named keeps its default: modifiers, the cheapest shipping, the earliest pickup.',
  'Find products with search_catalog, read choices with get_product, order with create_checkout and complete_checkout. update_checkout replaces the whole.',
  'Each message says what to do and, by its path, about which field. Show continue_url to the buyer where a person has to go on.',
].join(' ');
export async function answerMcp(
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, body, headers } = await answerRpc(
    {
      serverInfo,
      instructions,
      origin: front.origin(),
      async list() {
        const offered = offeredCapabilities(await front.offer(), currentVersion);
        const tools = ownOperations(request).filter(({ needs }) => offered.includes(needs));
        return { tools: tools.map(toolOf), ...isKept };
      },
      call: (params) => callTool(front, params, request),
      failureOf: (error) => failureOf(error, request),
    },
    request,
  );
  if (body === undefined) return reply.status(status).send();
  return send(front, reply, { status, body, ...(headers && { headers }) });
}

function failureOf(error: unknown, request: FastifyRequest): RpcFailure {
  const said = protocolErrorOf(error, localeIn(request));
  const { code, message: content, messages, status, retryAfterS } = said;
  const data = { code, content, messages, retry_after: retryAfterS ?? undefined };
  return { code: said.rpc, message: content, status, data, headers: waitOf(said) };
}

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
