/** Serves videos, whole or in parts (RFC 9110, range requests). */
import type { FastifyInstance } from 'fastify';
import { notFound } from '#server/platform/errors.ts';
import type { Videos } from './videos.ts';
import { rangeOf } from './videos.ts';

export function registerVideoRoutes(app: FastifyInstance, { videos }: { videos: Videos }): void {
  app.get<{ Params: { name: string } }>('/media/films/:name', async (request, reply) => {
    const film = await videos.open(request.params.name);
    if (!film) throw notFound();
    const { type, etag, size } = film;
    reply.header('cache-control', 'public, max-age=3600').header('accept-ranges', 'bytes').header('etag', etag).type(type);
    const { 'if-none-match': known, 'if-range': unless, range: wanted } = request.headers;
    if (known?.includes(etag)) return reply.code(304).send();
    // A part of a different file would corrupt the data that the player already has.
    const range = unless === undefined || unless === etag ? rangeOf(wanted, size) : null;
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    reply.header('content-length', end - start + 1);
    return reply.send(size === 0 ? '' : await film.read(start, end));
  });
}
