/** What the merchant asked for cannot be done to this order, in a sentence for a terminal. */
export class FulfilmentError extends Error {
  override name = 'DeskProblem';
}
