/** Another site, for tests: a server of this machine that goes by names of the world. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll } from 'vitest';
import { type NetworkPolicy, publicInternet } from '#server/platform/safe-fetch/safe-fetch.ts';
import { cert, key } from './certificate.ts';

/** A public address that nobody is asked at: the reach below dials this machine in its place. */
export const publicAddress = '93.184.215.14';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeInternet {
  /** As the shop's program reaches it: names as in `names`, addresses judged as ever, public ones dialled here. */
  reach: NetworkPolicy;
  /** Addresses of a name; one answer after the other, the last for good. */
  names: Map<string, string[][]>;
  /** What was asked for, as host and path. */
  asked: string[];
  /** By host and path, like `feeds.example/news.xml`. */
  handlers: Map<string, Handler>;
  answer(at: string, body: string | Buffer, headers?: Record<string, string>, status?: number): void;
  /** Where it really listens, for what is configured to be on this machine. */
  localUrl: string;
  close(): Promise<void>;
}

const open = new Set<FakeInternet>();
afterAll(async () => {
  await Promise.all([...open].map((each) => each.close()));
});

/** A name that nothing else is said of is public. Over TLS everybody there shows the certificate of `secure.example`. */
export async function fakeInternet(): Promise<FakeInternet> {
  const handlers = new Map<string, Handler>();
  const names = new Map<string, string[][]>();
  const asked: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '/').split('?', 1)[0];
    asked.push(`${request.headers.host}${request.url}`);
    const handler = handlers.get(`${request.headers.host}${path}`) ?? handlers.get(path ?? '/');
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  };
  const server = createServer(answer);
  const secureServer = createSecureServer({ cert, key }, answer);
  const [port, securePort] = [await portOf(server), await portOf(secureServer)];
  const testApp: FakeInternet = {
    handlers,
    names,
    asked,
    localUrl: `http://127.0.0.1:${port}`,
    reach: {
      ...publicInternet,
      async resolve(host) {
        const answers = names.get(host) ?? [[publicAddress]];
        const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
      dial: (_found, asked) => ({ address: '127.0.0.1', port: asked === 443 ? securePort : port, family: 4 }),
    },
    answer(at, body, headers = {}, status = 200) {
      handlers.set(at, (_request, response) => {
        response.writeHead(status, headers).end(body);
      });
    },
    async close() {
      if (!open.delete(testApp)) return;
      for (const each of [server, secureServer]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
  open.add(testApp);
  return testApp;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
