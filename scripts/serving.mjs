/** How Node is started to serve: a shop needs little memory, and is not to hold more than it needs. */

/**
 * V8 would let the space for young objects grow to 64 MB, which no request needs: pages are rendered
 * and sent as fast with an eighth of it.
 *
 * @type {readonly string[]}
 */
export const serverFlags = ['--max-semi-space-size=4'];

/**
 * Memory that glibc sets aside for each thread is seldom given back, and the threads that compress need
 * it one after another. Other systems take no notice.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const serverEnv = { MALLOC_ARENA_MAX: '2' };
