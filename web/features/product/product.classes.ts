/** The shapes that the product page and the places kept for it share. */
export const topClass =
  'mt-1 grid gap-3 product:mt-4 product:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] product:items-start product:gap-[clamp(2rem,4vw,4.5rem)]';
export const buyClass = 'flex min-w-0 flex-col gap-3 product:sticky product:top-[calc(var(--sticky-top)+1.5rem)] product:gap-6';
export const galleryClass = '-mx-gutter min-w-0 product:mx-0';
