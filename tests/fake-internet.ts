/** A fake of other sites: a server on this machine that answers for public host names. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { type NetworkPolicy, publicInternet } from '#server/platform/safe-fetch/safe-fetch.ts';
import { cert, key } from './certificate.ts';
import { closeAtEnd } from './resources.ts';

/** A public address. The network policy below connects to this machine instead. */
export const publicAddress = '93.184.215.14';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeInternet {
  /** The shop’s network policy: resolves `names`, checks addresses as usual, connects to this machine for public ones. */
  reach: NetworkPolicy;
  /** Addresses of a name for each look-up in turn; the last one stays. */
  names: Map<string, string[][]>;
  /** The requested host and path, in order. */
  asked: string[];
  /** By host and path, like `feeds.example/news.xml`. */
  handlers: Map<string, Handler>;
  answer(at: string, body: string | Buffer, headers?: Record<string, string>, status?: number): void;
  /** The address it really listens on, for clients that may use this machine. */
  localUrl: string;
  close(): Promise<void>;
}

/** Starts the fake. A name that is not in `names` resolves to the public address. Every host has the certificate of `secure.example`. */
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
      closed();
      for (const each of [server, secureServer]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
  const closed = closeAtEnd(() => testApp.close());
  return testApp;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
