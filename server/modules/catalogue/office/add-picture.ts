/** Takes a picture by the raw body of a request, which is read only once it is known who sends it. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type StaffCall, serveStaff } from '#server/http/staff-endpoint.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import type { OfficeGoodsDeps } from './office-goods.ts';

const mostBytes = 25 * 1024 * 1024;
const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg', jpg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' };

export function registerAddPicture(app: FastifyInstance, { media, changes }: Pick<OfficeGoodsDeps, 'media' | 'changes'>): void {
  void app.register(async (pictures) => {
    pictures.addContentTypeParser(/^image\//, (_request, payload, done) => done(null, payload));
    const add = async ({ permit, query, request }: StaffCall<'addPicture'>) => {
      const [, kind = ''] = /^image\/(\w+)/.exec(request.headers['content-type'] ?? '') ?? [];
      const extension = extensions[kind];
      if (extension === undefined) throw validationError({ picture: 'office.goods.notAPicture' });
      const bytes = await readAll(request.body as Readable);
      const file = `${slugOf(query.name)}-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.${extension}`;
      await media.requireImage(file, bytes).catch(() => {
        throw validationError({ picture: 'office.goods.notAPicture' });
      });
      await media.addOriginal(changes.by(permit.actor, 'pictures add'), file, bytes);
      const image = (await media.images([file])).get(file);
      if (!image) throw new Error(`The picture ${file} was not kept`);
      return { file, image };
    };
    serveStaff(pictures, 'addPicture', add, mostBytes);
  });
}

/** @throws {AppError} for more than may be sent */
async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new AppError('PAYLOAD_TOO_LARGE', { errorKey: 'error.tooLarge' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const slugOf = (name: string) =>
  name
    .replace(/\.\w+$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'picture';
