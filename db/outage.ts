/** Tracks when the database cannot serve: unreachable, out of connections, on a full or read-only disk, or damaged. */

/** How long the same cause is not reported again, ms. */
const quietMs = 60_000;

export class Outage {
  readonly #causeOf: (error: unknown) => string | null;
  #cause: string | null = null;
  #reported: { cause: string; at: number } | null = null;
  /** Called with a cause when it appears, and with null when the database serves again. */
  onChange: (cause: string | null) => void = () => {};

  /** `causeOf` returns the cause if an error of the engine means an outage; null for any other error. */
  constructor(causeOf: (error: unknown) => string | null) {
    this.#causeOf = causeOf;
  }

  /** The current cause; null while the database serves. */
  get cause(): string | null {
    return this.#cause;
  }

  /** Records an error. Returns its cause, or null if it says nothing about the database. */
  note(error: unknown): string | null {
    const cause = this.#in(error);
    if (cause === null) return null;
    this.#cause = cause;
    const { cause: last, at = 0 } = this.#reported ?? {};
    if (last === cause && Date.now() - at < quietMs) return cause;
    this.#reported = { cause, at: Date.now() };
    this.onChange(cause);
    return cause;
  }

  /** Records a successful write, which ends the outage. */
  end(): void {
    if (this.#cause === null) return;
    this.#cause = null;
    this.onChange(null);
  }

  /** Several errors together are an outage if each of them is. */
  #in(error: unknown): string | null {
    const own = this.#causeOf(error);
    if (own !== null || !(error instanceof AggregateError)) return own;
    const causes = error.errors.map((each) => this.#in(each));
    return causes.every((cause) => cause !== null) ? (causes[0] ?? null) : null;
  }
}
