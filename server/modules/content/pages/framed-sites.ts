/** Whose players the films of published pages need, for the content security policy. */
import type { VideoProvider } from '#contract/limits.ts';
import type { PublishedBlocks } from './published-blocks.ts';

/** As `web/blocks/video/video-sites.ts` asks for them. */
const players: Record<VideoProvider, string | null> = {
  file: null,
  youtube: 'https://www.youtube-nocookie.com',
  vimeo: 'https://player.vimeo.com',
};

/**
 * Origins that pages may frame: none in a shop without such films. The same on every page, since who
 * walks from one page to another keeps the policy of the first.
 */
export async function framedSites(published: PublishedBlocks): Promise<string[]> {
  const films = await published.ofType('video');
  return [...new Set(films.flatMap(({ provider }) => players[provider] ?? []))].sort();
}
