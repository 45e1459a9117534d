import type { VideoProvider } from '#contract/limits.ts';

interface VideoSite {
  name: string;
  /** The film's own page there. */
  page(id: string): string;
  /** The player, which the content security policy must allow (`server/modules/content/pages/framed-sites.ts`). */
  player(id: string, language: string): string;
}

/** Where films may be. YouTube by the host that sets no cookie before the film plays; Vimeo told not to track. */
export const videoSites: Record<Exclude<VideoProvider, 'file'>, VideoSite> = {
  youtube: {
    name: 'YouTube',
    page: (id) => `https://www.youtube.com/watch?v=${id}`,
    player: (id, language) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0&hl=${language}`,
  },
  vimeo: {
    name: 'Vimeo',
    page: (id) => `https://vimeo.com/${id}`,
    player: (id, language) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1&texttrack=${language}`,
  },
};
