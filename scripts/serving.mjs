/** The Node options for serving: a shop needs little memory and should not hold more than it needs. */

/**
 * V8 would let the young generation grow to 64 MB, which no request needs: pages are rendered and sent as fast with an eighth
 * of it. With less, the products of an export outlive it, and the memory of 100,000 of them grows instead of being used again.
 *
 * @type {readonly string[]}
 */
export const serverFlags = ['--max-semi-space-size=8'];

/**
 * glibc seldom returns the memory that it reserves for each thread, and the threads that compress need it one after another.
 * Other systems ignore the variable.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const serverEnv = { MALLOC_ARENA_MAX: '2' };
