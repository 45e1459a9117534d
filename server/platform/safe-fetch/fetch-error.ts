/** The reason an external request failed: a code and at most a status, so that it is safe to log. */
export class SafeFetchError extends Error {
  override name = 'OutsideError';
}
