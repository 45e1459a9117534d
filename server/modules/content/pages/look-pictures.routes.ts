/**
 * Serves what is made of the logo and the icon. Only addresses that pages name now are answered, so that nobody has others drawn, and
 * those of any picture as a logo, which previews show before it is saved: of each there is one.
 */
import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import { drawPicture, type MediaService } from '#server/modules/media/index.ts';
import {
  type LookPicture,
  lookFiles,
  lookPicturesOf,
  type SettingsService,
} from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';

const types: Readonly<Record<string, string>> = { webp: 'image/webp', png: 'image/png', jpg: 'image/jpeg' };
/** More than a shop has, and those of a look before. */
const most = 32;

export function registerLookPictures(
  app: FastifyInstance,
  { db, settings, media }: { db: Database; settings: SettingsService; media: MediaService },
): void {
  async function pictureAt(address: string, name: string): Promise<LookPicture | undefined> {
    const shop = await settings.all();
    const current = lookPicturesOf(shop, await media.images(lookFiles(shop))).all.get(address);
    if (current || !address.startsWith('/media/look/logo-')) return current;
    const served = name.replace(/\.webp$/, '');
    const [logo] = (await media.filesServedAs(db.read, [served])).get(served) ?? [];
    return logo === undefined
      ? undefined
      : lookPicturesOf({ look: { logo } }, await media.images([logo])).all.get(address);
  }
  const drawn = new Map<string, Promise<Buffer>>();
  app.get<{ Params: { form: string; name: string } }>('/media/look/:form/:name', async (request, reply) => {
    const { form, name } = request.params;
    const address = `/media/look/${form}/${name}`;
    const picture = await pictureAt(address, name);
    if (!picture) throw notFound();
    const draw = async () => {
      const bytes = await (await media.originals([picture.file])).get(picture.file)?.();
      if (!bytes) throw notFound();
      return drawPicture(bytes, picture);
    };
    const made = drawn.get(address) ?? draw();
    if (drawn.size >= most) drawn.clear();
    drawn.set(address, made);
    // What failed is tried again.
    made.catch(() => drawn.delete(address));
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type(types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
      .send(await made);
  });
}
