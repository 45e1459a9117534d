import Type, { type Static } from 'typebox';
import { Count, described, EpochMs, ImageInfo, Strict } from '../schemas/common.ts';
import { Done, lang, type StaffEndpoint } from './endpoint.ts';
import { kinds } from './messages.ts';

const File = Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });
const file = Strict({ file: File });
const fraction = Type.Number({ minimum: 0, maximum: 1 });

const Picture = Type.Object({ file: Type.String(), image: ImageInfo });
export const MediaPage = Type.Object({
  count: described('Of all that are found.', Count),
  pictures: described(
    'The newest first.',
    Type.Array(Type.Object({ ...Picture.properties, addedAt: described('0 if it is not known.', EpochMs) })),
  ),
});
export type MediaPage = Static<typeof MediaPage>;

export const MediaUses = Type.Object({
  count: described('Of all places that show it.', Count),
  uses: described(
    'At most 100 of each kind.',
    Type.Array(Type.Object({ kind: Type.Enum(kinds), id: Type.String() })),
  ),
});
export type MediaUses = Static<typeof MediaUses>;

export const mediaEndpoints = {
  media: {
    route: 'GET media',
    summary: "The shop's pictures, by what their names contain.",
    needs: 'media.write',
    query: Strict({
      ...lang.properties,
      text: Type.Optional(Type.String({ maxLength: 200 })),
      skip: Type.Optional(Count),
    }),
    response: MediaPage,
  },
  mediaUses: {
    route: 'GET media/:file/uses',
    summary: 'Where a picture is shown.',
    needs: 'media.write',
    params: file,
    response: MediaUses,
  },
  addPicture: {
    tool: false,
    route: 'POST media',
    repeat: 'same',
    summary:
      'Keeps a picture, which is the body: JPEG, PNG, WebP or AVIF of at most 25 MB and 50 megapixels.',
    needs: 'media.write',
    query: Strict({
      ...lang.properties,
      name: described('Of the file, for its name in the shop.', Type.String({ maxLength: 200 })),
    }),
    response: Picture,
  },
  replacePicture: {
    tool: false,
    route: 'POST media/:file',
    repeat: 'seen',
    summary: 'Puts another picture, which is the body, wherever this one is shown.',
    needs: 'media.write',
    params: file,
    query: Strict({
      ...lang.properties,
      seen: described(
        'The `imageURL` of the picture that it replaces: somebody else may have replaced it.',
        Type.String({ maxLength: 300 }),
      ),
    }),
    response: Picture,
  },
  cropPicture: {
    tool: false,
    route: 'POST media/:file/crop',
    repeat: 'same',
    summary: 'Keeps a part of a picture as a picture of its own.',
    needs: 'media.write',
    params: file,
    body: described(
      'Fractions of the width and height.',
      Strict({ left: fraction, top: fraction, width: fraction, height: fraction }),
    ),
    response: Picture,
  },
  removePicture: {
    route: 'POST media/:file/remove',
    repeat: 'used',
    summary: 'Deletes a picture that nothing shows.',
    needs: 'media.delete',
    params: file,
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
