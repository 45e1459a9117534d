/** An operation of the merchant that this order does not allow, explained in one sentence for a terminal. */
export class FulfilmentError extends Error {
  override name = 'DeskProblem';
}
