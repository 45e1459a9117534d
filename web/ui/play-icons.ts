/** The line icons of what plays: slides and videos. */
import type { IconPath } from '#ui/icon.tsx';

export const pauseIcon: IconPath = 'M8.5 5.5v13M15.5 5.5v13';
export const playIcon: IconPath = 'M7.5 5v14l11.5-7z';
