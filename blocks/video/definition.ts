import Type, { type Static, type TSchema } from 'typebox';
import { problem, shown } from '#contract/problems.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';
import { playerOrigin } from './video-sites.ts';

const schema = <T extends TSchema, I extends TSchema>({ text, image }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    type: Type.Literal('video'),
    provider: described(
      'Where the video is: a file of the shop, YouTube or Vimeo.',
      Type.Enum(['file', 'youtube', 'vimeo']),
      {
        label: 'office.block.provider',
        initial: 'youtube',
      },
    ),
    /** For a file of the shop: the file name when stored, the address when shown. The same for subtitles. */
    src: described(
      'The id of the video at its site, or the name of a file in `media/films` of the data folder.',
      Type.String({ pattern: '^[A-Za-z0-9_/-][A-Za-z0-9._/-]{0,199}$' }),
      { label: 'office.block.video.id', hint: 'office.block.videoHint' },
    ),
    poster: described('The image that is shown before the video plays; null for none.', Nullable(image), {
      label: 'office.block.poster',
      control: 'picture',
    }),
    caption: described('The text under the video.', text, { label: 'office.block.caption' }),
    captions: described(
      'Subtitles of a file of the shop.',
      Type.Array(
        Type.Object({
          language: described(
            'The language of the subtitles, such as `en`.',
            Type.String({ pattern: '^[A-Za-z-]{2,35}$' }),
            {
              label: 'office.block.subtitleLanguage',
            },
          ),
          label: described('The name of the language in the player.', Type.String(), {
            label: 'office.block.subtitleLabel',
          }),
          src: described(
            'The name of a WebVTT file (`.vtt`) in `media/films` of the data folder.',
            Type.String(),
            {
              label: 'office.block.subtitleFile',
            },
          ),
        }),
      ),
      { label: 'office.block.subtitle', add: 'office.block.addSubtitle' },
    ),
  });

const stored = schema(storedForm);
type Stored = Static<typeof stored>;

const videoFile = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:mp4|webm)$/;
const subtitleFile = /^[A-Za-z0-9][A-Za-z0-9._-]*\.vtt$/;
const siteIds = { youtube: /^[A-Za-z0-9_-]{11}$/, vimeo: /^\d{1,12}$/ };

export const video = defineBlock({
  stored,
  shown: schema(shownForm),
  validate({ provider, src, captions }) {
    const found = shown(src);
    if (provider !== 'file')
      return siteIds[provider].test(src) ? [] : [problem(['src'], 'problem.video.id', { provider, found })];
    if (!videoFile.test(src)) return [problem(['src'], 'problem.file.video', { found })];
    return captions.flatMap((track, index) =>
      subtitleFile.test(track.src)
        ? []
        : [problem(['captions', String(index), 'src'], 'problem.file.captions', { found: shown(track.src) })],
    );
  },
  pictures: ({ poster }) => (poster === null ? [] : [poster]),
  publish: ({ provider }) => (provider === 'file' ? {} : { framedSites: [playerOrigin(provider)] }),
  async load(blocks: readonly Stored[], { videoAddress }) {
    const files = blocks
      .filter(({ provider }) => provider === 'file')
      .flatMap(({ src, captions }) => [src, ...captions.map((track) => track.src)]);
    return new Map(await Promise.all(files.map(async (file) => [file, await videoAddress(file)] as const)));
  },
  present(block, page, addresses) {
    const poster = (block.poster === null ? undefined : page.image(block.poster)) ?? null;
    const shown = {
      ...block,
      title: page.optionalText(block.title),
      poster,
      caption: page.text(block.caption),
      captions: [],
    };
    if (block.provider !== 'file') return shown;
    const src = addresses.get(block.src) ?? null;
    if (src === null) return null;
    const captions = block.captions.flatMap((track) => {
      const address = addresses.get(track.src) ?? null;
      return address === null ? [] : [{ ...track, src: address }];
    });
    return { ...shown, src, captions };
  },
});
