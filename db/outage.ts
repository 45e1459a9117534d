/** Unreachable, out of connections, on a full or read-only disk, or damaged. */

/** The causes after which nothing is saved until somebody frees space. */
export const diskFull: Readonly<Record<'sqlite' | 'postgres', string>> = {
  sqlite: 'the disk is full',
  postgres: 'the disk of PostgreSQL is full',
};

/** Of the same cause. */
const quietMs = 60_000;

export class Outage {
  readonly #causeOf: (error: unknown) => string | null;
  #cause: string | null = null;
  #reported: { cause: string; at: number } | null = null;
  /** Null when the database serves again. */
  onChange: (cause: string | null) => void = () => {};

  /** Null if the error does not mean an outage. */
  constructor(causeOf: (error: unknown) => string | null) {
    this.#causeOf = causeOf;
  }

  /** Null while the database serves. */
  get cause(): string | null {
    return this.#cause;
  }

  /** Null if the error says nothing about the database. */
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

  /** A successful write ends the outage. */
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
