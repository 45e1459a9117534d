export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** From 768 px on, where a product's image stands beside its text (`product` in tokens.css). */
export function matchesProductWidth(): boolean {
  return matchMedia('(width >= 48rem)').matches;
}

/** Save-Data, or a connection too slow for prefetching. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}
