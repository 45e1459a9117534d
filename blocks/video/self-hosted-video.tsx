import { locales } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { videoFrameClass } from './video-frame.classes.ts';

const posterWidth = 1280;

/** The browser's own player. Only the poster image loads before it plays. */
export function SelfHostedVideo({ block: { src, poster, title, captions } }: { block: BlockOf<'video'> }) {
  const t = useT();
  const { tag } = locales[useLocale()];
  const own = captions.find(({ language }) => language === tag) ?? captions.find(({ language }) => tag.startsWith(language));
  return (
    // biome-ignore lint/a11y/useMediaCaption: the track elements below hold the captions of each language
    <video
      className={videoFrameClass}
      controls
      playsInline
      preload="none"
      poster={poster ? fittingUrl(poster, posterWidth) : undefined}
      aria-label={title ?? t('block.video.playPlain')}
    >
      <source src={src} type={src.endsWith('.webm') ? 'video/webm' : 'video/mp4'} />
      {captions.map((track) => (
        <track
          key={track.src}
          kind="captions"
          src={track.src}
          srcLang={track.language}
          label={track.label}
          default={track === own}
        />
      ))}
    </video>
  );
}
