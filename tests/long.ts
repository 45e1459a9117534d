/** What `npm test` does a part of, and `npm run test:all` does all of: proofs whose worth grows with the time that they get. */
export const isLong = process.env.LONG_TESTS === '1';

/** How often a random test repeats: `quick` in `npm test`. */
export const repeats = (quick: number, long: number): number => (isLong ? long : quick);
