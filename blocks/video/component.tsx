import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { locales } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps, LinkText } from '#web/blocks/block-view.tsx';
import { Picture, pageSizes } from '#web/ui/picture.tsx';
import { playIcon } from '#web/ui/play-icons.ts';
import { videoSites } from './video-sites.ts';

const videoFrameClass = 'block aspect-video w-full border-0 bg-surface-inset object-cover';

/** The disc of 64 px that starts a video, in a `group/video`. */
const playDiscClass =
  'absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-photo-paper text-photo-ink transition-[scale] group-hover/video:scale-106';

/** A video file of the shop, or one at YouTube or Vimeo, which receives no request before the visitor starts the video. */
export function VideoBlock({ block, first }: BlockProps<'video'>) {
  const { title, caption, provider } = block;
  return (
    <BlockFrame>
      <Section title={title}>
        <figure>
          {provider === 'file' ? (
            <SelfHostedVideo block={block} />
          ) : (
            <VideoEmbed block={block} provider={provider} first={first} />
          )}
          {caption && <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>}
        </figure>
      </Section>
    </BlockFrame>
  );
}

const posterWidth = 1280;

/** Only the poster image loads before it plays. Its controls appear with the start; without scripts they are there from the beginning. */
function SelfHostedVideo({ block: { src, poster, title, captions } }: { block: BlockOf<'video'> }) {
  const t = useT();
  const { tag } = locales[useLocale()];
  const own =
    captions.find(({ language }) => language === tag) ??
    captions.find(({ language }) => tag.startsWith(language));
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
          <span className="sr-only">
            {title ? t('block.video.play', { title }) : t('block.video.playPlain')}
          </span>
        </button>
      )}
    </div>
  );
}

interface VideoEmbedProps {
  block: BlockOf<'video'>;
  provider: keyof typeof videoSites;
  first: boolean;
}

function VideoEmbed({ block: { src, poster, title }, provider, first }: VideoEmbedProps) {
  const t = useT();
  const locale = useLocale();
  const [playing, setPlaying] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (playing) frame.current?.focus();
  }, [playing]);
  const site = videoSites[provider];
  const words = title ?? t('block.video.playPlain');
  if (playing) {
    return (
      <iframe
        ref={frame}
        className={videoFrameClass}
        src={site.player(src, locale)}
        title={words}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
      />
    );
  }
  return (
    <>
      <button
        type="button"
        className={cx('group/video relative', videoFrameClass)}
        onClick={() => setPlaying(true)}
      >
        {poster && (
          <Picture
            image={poster}
            alt=""
            shape="wide"
            sizes={pageSizes(1, '92vw')}
            priority={first}
            className="h-full"
          />
        )}
        <span className={playDiscClass}>
          <Icon name={playIcon} size={32} />
        </span>
        <span className="sr-only">
          {title ? t('block.video.play', { title }) : t('block.video.playPlain')}
        </span>
      </button>
      <p className="mt-3 text-sm text-ink-soft">
        {t('block.video.privacy', { site: site.name })}{' '}
        <Link href={site.page(src)} className="text-action underline">
          <LinkText href={site.page(src)}>{t('block.video.elsewhere', { site: site.name })}</LinkText>
        </Link>
      </p>
    </>
  );
}
