/** Bounds how many connections there are, what waits on one, and how long an answer may wait for its reader. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Env } from '#server/platform/env.ts';
import { rateLimited } from '#server/platform/errors.ts';
import { networkOf, networksAround } from '#server/platform/rate-limits/rate-limits.service.ts';
import { isPrivate } from './proxy.ts';

export type LatestResponses = WeakMap<Socket, ServerResponse>;

/** Requests that may wait on one connection for the answer to an earlier one. Browsers send none ahead, package managers ten. */
const mostWaiting = 16;
/** How often connections are looked at, ms, and how many times in a row an answer may be found where it was: 30 s. */
const lookEveryMs = 5000;
const mostStandstills = 6;
/** Fewer bytes between two looks are no progress: a reader of one byte a second would hold an answer for days. */
const leastBytes = 512;

type ConnectionLimits = Pick<Env, 'maxConnections' | 'maxConnectionsPerNetwork' | 'proxyHops'>;

/** Call before the server has routes, and after `registerForwardedFor`. Fills `latest`. */
export function boundConnections(
  app: FastifyInstance,
  latest: LatestResponses,
  limits: ConnectionLimits,
): void {
  const { server } = app;
  const [handle] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  if (handle) server.on('request', inTurn(handle, latest));
  endUnread(server);
  limitConnections(app, limits);
}

/** Each answer waits in memory until the client has read those before it, and one packet has room for a thousand requests. */
function inTurn(handle: RequestListener, latest: LatestResponses): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  const wait = (socket: Socket, more: 1 | -1) => {
    const count = (waiting.get(socket) ?? 0) + more;
    waiting.set(socket, count);
    return count;
  };
  return (request: IncomingMessage, response) => {
    const { socket } = request;
    const previous = latest.get(socket);
    latest.set(socket, response);
    // Node gives a response its socket when those before it are sent.
    if (response.socket || !previous) return handle(request, response);
    if (wait(socket, 1) > mostWaiting) return void socket.destroy();
    previous.once('close', () => {
      wait(socket, -1);
      if (!socket.destroyed) handle(request, response);
    });
  };
}

/** What Node knows of the bytes that the operating system has not taken yet. */
interface Handle {
  bytesWritten: number;
  /** Those that wait for the client to read. */
  writeQueueSize: number;
}

/** Closes connections whose client does not read what it asked for. */
function endUnread(server: Server): void {
  const open = new Map<Socket & { _handle?: Handle | null }, { sent: number; standstills: number }>();
  server.on('connection', (socket) => {
    open.set(socket, { sent: 0, standstills: 0 });
    socket.once('close', () => open.delete(socket));
  });
  const looking = setInterval(() => {
    for (const [socket, seen] of open) {
      const { bytesWritten = 0, writeQueueSize = 0 } = socket._handle ?? {};
      const sent = bytesWritten - writeQueueSize;
      const standsStill = writeQueueSize > 0 && sent - seen.sent < leastBytes;
      seen.standstills = standsStill ? seen.standstills + 1 : 0;
      seen.sent = sent;
      if (seen.standstills >= mostStandstills) socket.destroy();
    }
  }, lookEveryMs).unref();
  server.once('close', () => clearInterval(looking));
}

/** All connections of a proxy are its own, so behind one the requests under way of each network are limited instead. */
function limitConnections(
  app: FastifyInstance,
  { maxConnections, maxConnectionsPerNetwork, proxyHops }: ConnectionLimits,
): void {
  const { server } = app;
  const enter = networkCounter(maxConnectionsPerNetwork);
  let warned = false;
  const warn = (problem: string) => {
    if (!warned) app.log.warn(problem);
    warned = true;
  };
  server.maxConnections = maxConnections;
  // Those that wait for a next request give way.
  server.on('drop', () => {
    warn('MAX_CONNECTIONS are open: further ones are closed');
    server.closeIdleConnections();
  });
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || (proxyHops > 0 && isPrivate(remoteAddress))) return;
    const leave = enter(remoteAddress);
    if (leave) return void socket.once('close', leave);
    warn('one network has MAX_CONNECTIONS_PER_NETWORK open: further ones are closed');
    socket.destroy();
  });
  if (proxyHops === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    // Calls in process have no socket, and what comes without a client's address is the proxy's own.
    if (!(request.raw.socket instanceof Socket) || request.headers['x-forwarded-for'] === undefined)
      return done();
    const leave = enter(request.ip);
    if (!leave) return done(rateLimited(1000));
    reply.raw.once('close', leave);
    done();
  });
}

/** The function returns how to leave again, or null if there are `most`. */
export function networkCounter(most: number): (address: string) => (() => void) | null {
  const counts = new Map<string, number>();
  return (address) => {
    const networks = networksAround(networkOf(address));
    if (networks.some(({ name, share }) => (counts.get(name) ?? 0) >= most * share)) return null;
    for (const { name } of networks) counts.set(name, (counts.get(name) ?? 0) + 1);
    return () => {
      for (const { name } of networks) {
        const left = (counts.get(name) ?? 1) - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      }
    };
  };
}
