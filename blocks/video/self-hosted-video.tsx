import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { locales } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { playIcon } from '#web/ui/play-icons.ts';
import { playDiscClass, videoFrameClass } from './video-frame.classes.ts';

const posterWidth = 1280;

/**
 * The browser's own player, of which only the poster image loads before it plays. Its controls appear with the start; without scripts
 * they are there from the beginning.
 */
export function SelfHostedVideo({ block: { src, poster, title, captions } }: { block: BlockOf<'video'> }) {
  const t = useT();
  const { tag } = locales[useLocale()];
  const own = captions.find(({ language }) => language === tag) ?? captions.find(({ language }) => tag.startsWith(language));
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'plain' | 'ready' | 'started'>('plain');
  useEffect(() => {
    if (video.current?.paused !== false) setState('ready');
  }, []);
  const start = () => {
    // Now, because a video takes the focus only with controls.
    flushSync(() => setState('started'));
    video.current?.focus();
    // A film that cannot play says so in the player's own words.
    void video.current?.play().catch(() => undefined);
  };
  return (
    <div className="group/video relative">
      {/* biome-ignore lint/a11y/useMediaCaption: the track elements below hold the captions of each language */}
      <video
        ref={video}
        className={videoFrameClass}
        controls={state !== 'ready'}
        onPlay={() => setState('started')}
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
      {state === 'ready' && (
        <button type="button" className="absolute inset-0" onClick={start}>
          <span className={playDiscClass}>
            <Icon name={playIcon} size={28} />
          </span>
          <span className="sr-only">{title ? t('block.video.play', { title }) : t('block.video.playPlain')}</span>
        </button>
      )}
    </div>
  );
}
