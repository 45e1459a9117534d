/**
 * The Model Context Protocol over streamable HTTP (JSON-RPC 2.0): versions, requests and answers, whatever the tools do. No stream, and
 * no session that has to be kept: `initialize` only agrees on a version.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The first has no sessions: each request says what it needs. The others begin with `initialize`. */
const mcpVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
const [statelessMcp, newestSession] = mcpVersions;
const mcpMeta = (name: string) => `io.modelcontextprotocol/${name}`;

export type RpcBody = Record<string, unknown>;

/** A failure of the protocol. */
export interface RpcFailure {
  /** By JSON-RPC. */
  code: number;
  message: string;
  /** Of HTTP. */
  status: number;
  data?: RpcBody | undefined;
  headers?: Readonly<Record<string, string>>;
}

export class RpcError extends Error implements RpcFailure {
  override name = 'RpcError';
  readonly code: number;
  readonly status: number;
  readonly data: RpcBody | undefined;

  constructor(code: number, message: string, status = 200, data?: RpcBody) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export interface McpServer {
  serverInfo: { name: string; version: string };
  /** What a model has to know of all tools. */
  instructions: string;
  /** Of the shop, with its scheme. */
  origin: string;
  /** Of `tools/list`: the tools, and for how long they are known. */
  list(): Promise<RpcBody>;
  /** Of `tools/call`. @throws whatever `failureOf` knows */
  call(params: RpcBody): Promise<RpcBody>;
  /** @throws what is no failure of the protocol */
  failureOf(error: unknown): RpcFailure;
}

export interface McpAnswer {
  status: number;
  /** Undefined: a notification is not answered. */
  body?: RpcBody;
  headers?: Readonly<Record<string, string>>;
}

interface Rpc {
  id?: string | number | null;
  method?: unknown;
  params?: RpcBody;
}

export async function answerMcp(server: McpServer, request: FastifyRequest): Promise<McpAnswer> {
  let rpc: Rpc = {};
  try {
    requireOwnOrigin(request, server.origin);
    rpc = rpcIn(request.body);
    if (rpc.id === undefined) return { status: 202 };
    const isStateless = requireStateless(rpc, request);
    const found = await resultOf(server, rpc, isStateless);
    const result = isStateless ? { ...found, _meta: { [mcpMeta('serverInfo')]: server.serverInfo } } : found;
    return { status: 200, body: { jsonrpc: '2.0', id: rpc.id, result } };
  } catch (error) {
    const failure: RpcFailure = error instanceof RpcError ? error : server.failureOf(error);
    const { code, message, status, data, headers = {} } = failure;
    return { status, headers, body: { jsonrpc: '2.0', id: rpc.id ?? null, error: { code, message, data } } };
  }
}

/** Serves MCP at an address, of requests whose bodies stay bytes. */
export function routeMcp(
  calls: FastifyInstance,
  url: string,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  { limit, refuse = refuseStream }: { limit?: number; refuse?: typeof handle } = {},
): void {
  calls.route({ method: 'POST', url, ...(limit === undefined ? {} : { bodyLimit: limit }), handler: handle });
  calls.route({ method: ['GET', 'DELETE'], url, handler: refuse });
}

/** No stream, and no session to end. */
export const refuseStream = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  reply.status(405).header('allow', 'POST').send();

/** From here on, JSON stays as it was sent. */
export function keepBytes(calls: FastifyInstance): void {
  calls.removeContentTypeParser('application/json');
  calls.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/** A page of another site could reach a shop that only this machine reaches (DNS rebinding). Agents send no origin. */
function requireOwnOrigin({ headers, host }: FastifyRequest, shop: string): void {
  if (headers.origin === undefined) return;
  const from = URL.parse(headers.origin);
  const isLocal = from?.host === host && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(from.hostname);
  if (!isLocal && from?.origin !== new URL(shop).origin)
    throw new RpcError(-32000, 'Pages of other sites are not served.', 403);
}

export const isRecord = (value: unknown): value is RpcBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const recordOf = (value: unknown): RpcBody => (isRecord(value) ? value : {});

function rpcIn(body: unknown): Rpc {
  const rpc = parsed(body);
  if (!isRecord(rpc) || rpc.jsonrpc !== '2.0' || typeof rpc.method !== 'string')
    throw new RpcError(-32600, 'This is no request of JSON-RPC 2.0.', 400);
  return rpc;
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw new RpcError(-32700, 'The body is not JSON.', 400);
  }
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
  const refuse = (code: number, message: string, data?: RpcBody) => new RpcError(code, message, 400, data);
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

/** Of what is the same for everybody, for some minutes. */
export const isKept = { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' };

async function resultOf(
  server: McpServer,
  { method, params = {} }: Rpc,
  isStateless: boolean,
): Promise<RpcBody> {
  const can = { capabilities: { tools: {} }, instructions: server.instructions };
  if (method === 'tools/call') return server.call(params);
  if (method === 'tools/list') return server.list();
  if (isStateless && method === 'server/discover')
    return { supportedVersions: mcpVersions, ...can, ...isKept };
  if (!isStateless && method === 'ping') return {};
  if (isStateless || method !== 'initialize')
    throw new RpcError(-32601, 'There is no such method.', isStateless ? 404 : 200);
  const protocolVersion =
    mcpVersions.slice(1).find((version) => version === params.protocolVersion) ?? newestSession;
  return { protocolVersion, ...can, serverInfo: server.serverInfo };
}
