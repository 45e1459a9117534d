/** Input that a merchant wrote is invalid. `problems` are complete lines for the merchant; nothing has been written. */
export class InputError extends Error {
  override name = 'InputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.slice(0, 20).join('\n'));
    this.problems = problems;
  }
}
