/** An HTTP server on this machine that replaces a provider’s and fails on request. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  method: string;
  /** The path, without the query. */
  path: string;
  /** The query without its question mark; '' or absent if there is none. */
  query?: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FakeAnswer {
  status: number;
  type: string;
  body: string;
}

/**
 * 'down' and 'error' do nothing (the connection is cut, or 500 is answered); 'lost' and 'errorAfter' first do the work; 'slow'
 * does it, and delays its answer until the fault is lifted; 'held' delays the work as well.
 */
export type FaultKind = 'down' | 'error' | 'lost' | 'errorAfter' | 'slow' | 'held';

interface Fault {
  kind: FaultKind;
  /** The matching requests, by 'METHOD /path'. */
  about: RegExp;
  times: number;
  /** Resolves when the fault is lifted. */
  lifted: Promise<void>;
  lift(): void;
}

export interface FakeServer {
  /** Such as http://127.0.0.1:41234 */
  url: string;
  /** The requests so far, as 'METHOD /path', the oldest first. */
  readonly asked: string[];
  /** Injects a fault into the next `times` requests about `about`. Returns the function that lifts it. */
  fail(kind: FaultKind, about?: RegExp, times?: number): () => void;
  /** Lifts every fault. */
  lift(): void;
  close(): Promise<void>;
}

export async function serveFake(answer: (request: FakeRequest) => FakeAnswer): Promise<FakeServer> {
  const asked: string[] = [];
  const faults: Fault[] = [];
  const meet = (what: string): Fault | undefined => {
    const fault = faults.find(({ about, times }) => times > 0 && about.test(what));
    if (fault) fault.times--;
    return fault;
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://fake');
    const method = request.method ?? 'GET';
    asked.push(`${method} ${path}`);
    const fault = meet(`${method} ${path}`);
    if (fault?.kind === 'down') return request.socket.destroy();
    if (fault?.kind === 'held') await fault.lifted;
    const done: FakeAnswer =
      fault?.kind === 'error'
        ? { status: 500, type: 'text/plain', body: 'broken' }
        : answer({
            method,
            path,
            query: searchParams.toString(),
            headers: request.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          });
    if (fault?.kind === 'lost') return request.socket.destroy();
    if (fault?.kind === 'slow') await fault.lifted;
    const sent = fault?.kind === 'errorAfter' ? { status: 500, type: 'text/plain', body: 'broken' } : done;
    response.writeHead(sent.status, { 'content-type': sent.type });
    return response.end(sent.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    fail(kind, about = /./, times = Number.POSITIVE_INFINITY) {
      const { promise: lifted, resolve } = Promise.withResolvers<void>();
      const fault: Fault = {
        kind,
        about,
        times,
        lifted,
        lift() {
          fault.times = 0;
          resolve();
        },
      };
      faults.unshift(fault);
      return fault.lift;
    },
    lift() {
      for (const fault of faults) fault.lift();
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
