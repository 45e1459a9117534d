/** The media library. A picture is the raw body of a request, which is read only once it is known who sends it. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type StaffCall, serveStaff } from '#server/http/staff-endpoint.ts';
import { changedSince, type RunChange } from '#server/modules/changes/index.ts';
import { UnreadablePictureError } from '#server/modules/media/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import { slugOf } from '#server/platform/slugs.ts';
import type { OfficeGoodsDeps } from './office-goods.ts';
import { productsWith, usesOf } from './office-media.repository.ts';

const mostBytes = 25 * 1024 * 1024;
/** Pictures of a page. */
const pageSize = 60;

type Deps = Pick<OfficeGoodsDeps, 'db' | 'media' | 'changes' | 'editor'>;

export function registerOfficeMedia(app: FastifyInstance, deps: Deps): void {
  const { db, media, changes } = deps;
  serveStaff(app, 'media', ({ query: { text = '', skip = 0 } }) =>
    media.library(text, { skip, most: pageSize }),
  );
  serveStaff(app, 'mediaUses', async ({ params: { file } }) => {
    if (!(await media.images([file])).has(file)) throw notFound();
    return usesOf(db.read, file);
  });
  serveStaff(app, 'removePicture', async ({ permit, params: { file } }) => {
    const [last] = await changes.journal({ most: 1 });
    requireUnused(await usesOf(db.read, file));
    const run: RunChange = (work) =>
      changes.run(permit.actor, 'pictures remove', async (change) => {
        await deps.editor.lock(change.trx);
        requireUnused(await usesOf(change.trx, file, await changedSince(change.trx, last?.no ?? 0)));
        return work(change);
      });
    await media.removeOriginal(run, file);
    return { done: true as const };
  });
  serveStaff(app, 'cropPicture', async ({ permit, params: { file }, body }) => {
    const bytes = await (await media.originals([file])).get(file)?.();
    if (!bytes) throw notFound();
    const part = await media.partOf(bytes, body);
    return add(deps, changes.by(permit.actor, 'pictures add'), { name: withoutHash(file), bytes: part });
  });
  void app.register(async (pictures) => {
    pictures.addContentTypeParser(/^image\//, (_request, payload, done) => done(null, payload));
    const adding = async ({ permit, query, request }: StaffCall<'addPicture'>) =>
      add(deps, changes.by(permit.actor, 'pictures add'), {
        name: query.name,
        bytes: await readAll(request),
      });
    serveStaff(pictures, 'addPicture', adding, { limit: mostBytes });
    const replacing = async ({
      permit,
      params: { file },
      query: { seen },
      request,
    }: StaffCall<'replacePicture'>) => {
      const bytes = await readAll(request);
      await kindOf(deps, bytes);
      if (!(await media.images([file])).has(file)) throw notFound();
      await store(deps, changes.by(permit.actor, 'pictures replace'), { file, bytes, seen });
      await deps.editor.redraw(await productsWith(db.read, file));
      return kept(deps, file);
    };
    serveStaff(pictures, 'replacePicture', replacing, { limit: mostBytes });
  });
}

/** @throws {AppError} */
function requireUnused({ count }: { count: number }): void {
  if (count > 0) throw new AppError('CONFLICT', { errorKey: 'office.media.used' });
}

/** Under a name by its content, so that the same picture is kept once, and no other is replaced. */
async function add(deps: Deps, run: RunChange, { name, bytes }: { name: string; bytes: Buffer }) {
  const kind = await kindOf(deps, bytes);
  const file = `${fileSlug(name)}-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.${kind}`;
  await store(deps, run, { file, bytes });
  return kept(deps, file);
}

/** @throws {AppError} for what cannot be decoded */
async function store(
  { media }: Deps,
  run: RunChange,
  { file, bytes, seen }: { file: string; bytes: Buffer; seen?: string },
): Promise<void> {
  try {
    await media.addOriginal(run, file, bytes, seen);
  } catch (error) {
    throw error instanceof UnreadablePictureError
      ? validationError({ picture: 'office.goods.notAPicture' })
      : error;
  }
}

/** @throws {AppError} for what is no picture */
const kindOf = ({ media }: Deps, bytes: Buffer) =>
  media.kindOf(bytes).catch(() => {
    throw validationError({ picture: 'office.goods.notAPicture' });
  });

async function kept({ media }: Deps, file: string) {
  const image = (await media.images([file])).get(file);
  if (!image) throw new Error(`The picture ${file} was not kept`);
  return { file, image };
}

/** @throws {AppError} for what is no picture, more than may be sent, or less than was announced */
async function readAll({ body, headers }: FastifyRequest): Promise<Buffer> {
  if (!headers['content-type']?.startsWith('image/'))
    throw validationError({ picture: 'office.goods.notAPicture' });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new AppError('PAYLOAD_TOO_LARGE', { errorKey: 'error.tooLarge' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const withoutHash = (file: string) => file.replace(/(?:-[0-9a-f]{8})?\.\w+$/, '');

const fileSlug = (name: string) => slugOf(name.replace(/\.\w{2,4}$/, ''), 60) || 'picture';
