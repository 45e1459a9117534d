/** What the brand gives to screens, in place of web/lib/no-brand.tsx. */
import type { Product } from '#contract/schemas/catalogue.ts';
import type { IconPath } from '#ui/icon.tsx';

export { ProductFold } from './brew-card.tsx';
export { TicketMark } from './seal.tsx';
export { ProductPicture } from './size-drawing.tsx';
export { ProductLead } from './tea-facts.tsx';

const ruler: IconPath = 'M3 8h18v8H3zM7 8v3m4-3v4m4-4v3';
export const pictureIcon = ({ extras }: Product): IconPath | null => (extras?.size ? ruler : null);
