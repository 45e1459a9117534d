import { useEffect, useRef, useState } from 'react';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { LinkText } from '#web/blocks/link-text.tsx';
import { pageSizes } from '#web/ui/page-sizes.ts';
import { Picture } from '#web/ui/picture.tsx';
import { playIcon } from '#web/ui/play-icons.ts';
import { playDiscClass, videoFrameClass } from './video-frame.classes.ts';
import { videoSites } from './video-sites.ts';

interface VideoEmbedProps {
  block: BlockOf<'video'>;
  provider: keyof typeof videoSites;
  first: boolean;
}

/** The shop's own image and a button; the other site's player loads only when the button is pressed. */
export function VideoEmbed({ block: { src, poster, title }, provider, first }: VideoEmbedProps) {
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
      <button type="button" className={cx('group/video relative', videoFrameClass)} onClick={() => setPlaying(true)}>
        {poster && (
          <Picture image={poster} alt="" shape="wide" sizes={pageSizes(1, '92vw')} priority={first} className="h-full" />
        )}
        <span className={playDiscClass}>
          <Icon name={playIcon} size={32} />
        </span>
        <span className="sr-only">{title ? t('block.video.play', { title }) : t('block.video.playPlain')}</span>
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
