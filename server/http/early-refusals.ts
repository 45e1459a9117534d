/** Errors before there is a request, and expectations that cannot be met. They close the connection. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ErrorType } from '#contract/errors.ts';
import { defaultLocale, type MessageKey } from '#contract/locales.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import { translate } from '#server/platform/i18n.ts';
import type { LatestResponses } from './connections.ts';
import type { HeadersFor } from './security-headers.ts';

const json = 'application/json; charset=utf-8';

export function createEarlyRefusals(headersFor: HeadersFor, latest: LatestResponses, requestId: () => string) {
  /** Header names and values in turn, and the body. */
  const refusal = (status: number): { headers: Record<string, string>; body: string } => {
    const id = requestId();
    const body = JSON.stringify(bodyOf(status, id));
    const headers = {
      'content-type': json,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      connection: 'close',
      ...headersFor(json),
      'x-request-id': id,
    };
    return { headers, body };
  };

  const refuseOn = (socket: Socket, status: number): void => {
    if (socket.writable) {
      const { headers, body } = refusal(status);
      const lines = Object.entries({ ...headers, date: new Date().toUTCString() }).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroySoon();
  };

  return {
    clientErrorHandler(error: Error & { code?: string }, socket: Socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const status = statusOfParserError(error.code);
      const response = latest.get(socket);
      if (!response || (response.req.complete && response.writableFinished)) return refuseOn(socket, status);
      const request = response.req;
      // The request with the broken body has no response yet: the rejection becomes its response.
      if (!request.complete && !response.headersSent) return refuseOn(socket, status);
      // The request already has its response and gets no second one; an unreadable request after it waits its turn.
      const after = request.complete ? () => refuseOn(socket, status) : () => socket.destroySoon();
      if (response.writableFinished) after();
      else response.once('finish', after);
    },
    /** Answers expectations other than `100-continue`. */
    attach(app: FastifyInstance): void {
      app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
        const { headers, body } = refusal(417);
        response.writeHead(417, headers).end(body);
      });
    },
  };
}

function statusOfParserError(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** In the default language, because the requested one is not known. */
function bodyOf(status: number, requestId: string): ErrorBody {
  const tooLarge = status === 413 || status === 431;
  const errorKey: MessageKey = tooLarge ? 'error.tooLarge' : 'error.malformed';
  const errorType: ErrorType = status === 413 ? 'PAYLOAD_TOO_LARGE' : 'REQUEST_VALIDATION_ERROR';
  return { errorType, errorKey, message: translate(defaultLocale)(errorKey), requestId };
}
