export interface VideoSite {
  name: string;
  page(id: string): string;
  /** The player, which the content security policy must allow. */
  player(id: string, language: string): string;
}

/** YouTube uses the host that sets no cookie before the video plays; Vimeo is told not to track. */
export const videoSites = {
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
} as const satisfies Record<string, VideoSite>;

export function playerOrigin(site: keyof typeof videoSites): string {
  const [origin = ''] = /^https:\/\/[^/]+/.exec(videoSites[site].player('', '')) ?? [];
  return origin;
}
