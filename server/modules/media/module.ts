import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { gauge } from '#server/platform/telemetry/metric.ts';
import { createMediaService, type MediaService } from './media.service.ts';
import { createMediaStorage } from './storage.ts';
import { createVideos, rangeOf, type Videos } from './videos.ts';

export interface MediaServices {
  media: MediaService;
  videos: Videos;
}

export function createMediaModule(deps: {
  db: Database;
  env: Env;
  now: () => number;
}): ServerModule<MediaServices> {
  const storage = createMediaStorage(deps.env);
  const services = { media: createMediaService({ ...deps, storage }), videos: createVideos(storage) };
  const waiting = gauge('shopwright_images_waiting', 'Images that wait to be generated.', () =>
    services.media.waiting(),
  );
  return {
    services,
    metrics: [{ name: 'images', metrics: [waiting] }],
    registerRoutes(app) {
      registerMediaRoutes(app, services);
      registerVideoRoutes(app, services);
    },
  };
}

/** The names that `importOriginals` creates. Other names need no lookup. */
const pictureName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/;

const pictureWidth = /^\d{1,4}$/;
const cacheControl = 'public, max-age=31536000, immutable';

interface PictureRoute {
  Params: { width: string; name: string };
}

function registerMediaRoutes(app: FastifyInstance, { media }: { media: MediaService }): void {
  const { headersFor } = app.contract;
  /** Sends an image that is in memory before Fastify does anything else with the request, as the cache of public answers does. */
  const sendReady = (request: FastifyRequest<PictureRoute>, reply: FastifyReply, done: () => void): void => {
    const { width, name } = request.params;
    const asked = pictureWidth.test(width) && request.headers['if-none-match'] === undefined;
    const picture = asked ? media.readyPicture(Number(width), name, request.headers.accept) : null;
    if (!picture) {
      done();
      return;
    }
    const type = `image/${picture.format}`;
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': type,
      'content-length': picture.bytes.length,
      'cache-control': cacheControl,
      etag: picture.etag,
      vary: 'Accept',
      ...headersFor(type),
    });
    reply.raw.end(request.method === 'HEAD' ? undefined : picture.bytes);
  };

  app.get<PictureRoute>('/media/:width/:name', { onRequest: sendReady }, async (request, reply) => {
    const { width, name } = request.params;
    const picture =
      pictureWidth.test(width) && pictureName.test(name)
        ? await media.picture(Number(width), name, request.headers.accept)
        : null;
    if (!picture) throw notFound();
    const headers = { 'cache-control': cacheControl, etag: picture.etag, vary: 'Accept' };
    if (request.headers['if-none-match']?.includes(picture.etag))
      return reply.headers(headers).code(304).send();
    const left = departure(reply);
    try {
      const bytes = await picture.bytes(left);
      return reply.headers(headers).type(`image/${picture.format}`).send(bytes);
    } catch (error) {
      if (!left.aborted) throw error;
      // Nobody is there to be answered.
      return reply.hijack();
    }
  });
}

/** Aborts when the client closes the connection before it has its answer. */
function departure({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort();
  });
  return gone.signal;
}

function registerVideoRoutes(app: FastifyInstance, { videos }: { videos: Videos }): void {
  app.get<{ Params: { name: string } }>('/media/films/:name', async (request, reply) => {
    const film = await videos.open(request.params.name);
    if (!film) throw notFound();
    const { type, etag, size } = film;
    reply
      .header('cache-control', 'public, max-age=3600')
      .header('accept-ranges', 'bytes')
      .header('etag', etag)
      .type(type);
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
