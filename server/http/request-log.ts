import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { isOrderLinkPath, splitLocale } from '#contract/locales.ts';
import type { LogLevel } from '#server/platform/env.ts';

export function isOrderLinkUrl(url: string): boolean {
  return isOrderLinkPath(splitLocale(canonicalPath(url)).pathname);
}

const hidden = '(token)';
/** What precedes a token: in a page's path, and in a call's. */
const beforeToken = /^(order|orderLink|draft)$/i;
/** 256 bits as base64url, which hardly ever lack a capital letter. */
const tokenLike = /^(?=.*[A-Z])[\w-]{43}$/;

function withoutTokens(path: string): string {
  const segments = path.split('/');
  const isToken = (index: number) => {
    const [grandparent, parent, segment] = [-2, -1, 0].map((offset) =>
      decoded(segments[index + offset] ?? ''),
    );
    if (!segment || !parent) return false;
    return (beforeToken.test(parent) && grandparent !== 'orderManagement') || tokenLike.test(segment);
  };
  return segments.map((segment, index) => (isToken(index) ? hidden : segment)).join('/');
}

function canonicalPath(url: string): string {
  try {
    return decoded(new URL(url.replace(/^[/\\]+/, '/'), 'http://shop').pathname).replaceAll(/\/{2,}/g, '/');
  } catch {
    return url;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface LogTarget {
  level: LogLevel;
  stream?: { write(line: string): void };
}

export function loggerOptions({ level, stream }: LogTarget): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    base: { pid: process.pid },
    redact: [
      'headers',
      '*.headers',
      'body',
      '*.body',
      'cookie',
      '*.cookie',
      '*.creditCardNumber',
      '*.cardCode',
      '*.password',
    ],
    serializers: { err: describeError },
    stream: stream ?? process.stderr,
  };
}

/** Without the properties that drivers add: PostgreSQL's, for one, repeat the row's values. */
function describeError(error: unknown): {
  type: string;
  message: string;
  stack: string;
  [key: string]: unknown;
} {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack ?? '',
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

const quietLevels: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent']);

export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: FastifyError | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (quietLevels.has(request.log.level)) return;
    const { method } = request;
    const status = reply.raw.statusCode;
    const reads = (method === 'GET' || method === 'HEAD') && status < 400 && !error;
    if (reads && request.log.level !== 'debug' && request.log.level !== 'trace') return;
    const line = {
      method,
      url: pathOf(request),
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(error ? { err: error } : {}),
    };
    request.log[reads ? 'debug' : 'info'](line, 'request');
  }
}

/** At the first line: pino's child for every request would add 8 % to a cached answer (docs/decisions/0055). */
export function deferredLogger(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
): FastifyBaseLogger {
  return new DeferredLogger(logger, bindings) as unknown as FastifyBaseLogger;
}

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const;

class DeferredLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }

  get logger(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }
}
for (const name of methods) {
  Object.defineProperty(DeferredLogger.prototype, name, {
    value(this: DeferredLogger, ...line: unknown[]) {
      const { logger } = this;
      return Reflect.apply(logger[name], logger, line);
    },
  });
}

/** In characters. */
const loggedPathLength = 300;

/** Without its query, tokens of order links and emails, which are user ids too. Takes time linear in the length of the path. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = request.url.split('?', 1);
  // Cut after emails and tokens are removed: a truncated email would still identify the customer.
  const logged = withoutTokens(path).split('/').map(withoutEmail).join('/');
  return logged.length > loggedPathLength ? `${logged.slice(0, loggedPathLength)}…` : logged;
}

/** The @ may be escaped, even twice. */
function withoutEmail(segment: string): string {
  return /@|%(?:25)*40/.test(segment) ? '(email)' : segment;
}
