/** The shapes that posts and their placeholders share. */
export const postGridClass = 'grid gap-x-8 gap-y-12 product:grid-cols-2 menu:grid-cols-3';
/** The pictures of a row have one height, whatever their width. */
export const leadGridClass =
  'grid gap-x-6 gap-y-12 menu:grid-cols-[7fr_5fr] menu:*:*:*:data-picture:aspect-auto menu:*:*:*:data-picture:h-104';
export const postHeadClass = 'mx-auto max-w-[50rem] pt-8 pb-10 text-center menu:pt-12 menu:pb-14';
export const postCoverClass = 'aspect-3/2 overflow-hidden menu:aspect-2/1';
