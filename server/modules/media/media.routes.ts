/** Serves images. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from '#server/platform/errors.ts';
import type { MediaService } from './media.service.ts';

/** The names that `importOriginals` creates. Other names need no lookup. */
const pictureName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/;

export function registerMediaRoutes(app: FastifyInstance, { media }: { media: MediaService }): void {
  app.get<{ Params: { width: string; name: string } }>('/media/:width/:name', async (request, reply) => {
    const { width, name } = request.params;
    const picture =
      /^\d{1,4}$/.test(width) && pictureName.test(name) ? await media.picture(Number(width), name, request.headers.accept) : null;
    if (!picture) throw notFound();
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', picture.etag).header('vary', 'Accept');
    if (request.headers['if-none-match']?.includes(picture.etag)) return reply.code(304).send();
    const left = departure(reply);
    try {
      return reply.type(`image/${picture.format}`).send(await picture.bytes(left));
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
