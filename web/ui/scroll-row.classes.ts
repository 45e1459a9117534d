/** Chips in a row: several rows on a desktop, one scrollable row on a phone. */
export const scrollRowClass =
  '-mx-gutter flex gap-2 px-gutter py-1.5 max-menu:overflow-x-auto [scrollbar-width:none] *:flex-none menu:mx-0 menu:flex-wrap menu:px-0';
