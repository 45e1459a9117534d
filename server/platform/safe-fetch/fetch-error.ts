/** Why there is no answer from outside: a code and a status at most, so that it may be logged. */
export class SafeFetchError extends Error {
  override name = 'OutsideError';
}
