/** The faults that a test can inject between the shop and the fake. */

/**
 * 'cut before' and 'refused before' do nothing; 'cut after' and 'error after' do the work, and the answer is lost or wrong.
 * 'slow' waits before the work, 'slow after' before its answer.
 */
export type FaultKind =
  | 'slow'
  | 'slow after'
  | 'cut before'
  | 'cut after'
  | 'error before'
  | 'error after'
  | 'rate limited'
  | 'unauthorized'
  /** The key is restricted and lacks the permission for the call. */
  | 'forbidden';

export type CallName =
  | 'create'
  | 'confirm'
  | 'retrieve'
  | 'list'
  | 'cancel'
  | 'answer'
  | 'refund'
  | 'listRefunds'
  | 'listDisputes'
  | 'listBalance'
  | 'listPayouts'
  | 'createToken'
  | 'retrieveToken';

export interface Fault {
  /** Absent: every call. */
  call?: CallName;
  kind: FaultKind;
  /** How often; absent: until `clear`. */
  times?: number;
  /** The matching requests, by a text that their body or path contains. */
  about?: string;
  /** The promise that slow calls await. */
  until?: Promise<void>;
}

export class Faults {
  #waiting: Fault[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ ...fault });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that matches this request; its remaining count decreases by one. */
  meet(call: CallName, request: string): Fault | undefined {
    const met = this.#waiting.find(
      (fault) => (fault.call ?? call) === call && request.includes(fault.about ?? ''),
    );
    if (met?.times !== undefined) {
      met.times -= 1;
      if (met.times <= 0) this.#waiting = this.#waiting.filter((fault) => fault !== met);
    }
    return met;
  }
}
