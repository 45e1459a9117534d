import { Frame, Section } from '#ui/layout.tsx';
import type { BlockProps } from '#web/blocks/block-view.ts';
import { SelfHostedVideo } from './self-hosted-video.tsx';
import { VideoEmbed } from './video-embed.tsx';

/** A video file of the shop, or one at YouTube or Vimeo, which receives no request before the visitor starts the video. */
export function VideoBlock({ block, first }: BlockProps<'video'>) {
  const { title, caption, provider } = block;
  return (
    <Frame>
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
    </Frame>
  );
}
