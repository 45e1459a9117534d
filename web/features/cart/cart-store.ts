/**
 * Holds the cart that the customer sees, and keeps it correct while changes overlap.
 *
 * It shows the newest answer of the server with the customer's pending changes (a new quantity, a removed line) applied on top.
 * A change is pending until the server has answered it, so a late answer to an earlier request never restores a removed line,
 * and a rejected change reverts to the server's value. Calls are sent one after another, in the order of the changes.
 */
import type { CartItem, Order } from '#contract/schemas/order.ts';

export interface CartCalls {
  read(): Promise<Order>;
  add(input: CartItem): Promise<Order>;
  setQuantity(line: string, quantity: number): Promise<Order>;
  remove(line: string): Promise<Order>;
  comment(value: string): Promise<Order>;
}

interface CartStoreOptions {
  calls: CartCalls;
  /** Called with the cart to show whenever it changes. */
  show(order: Order): void;
  /** Milliseconds without another change before a quantity is sent. */
  restMs?: number;
}

interface PendingChange {
  /** 0 removes the line. */
  quantity: number;
  /** Distinguishes the newest change from one that is already being sent. */
  turn: number;
  resolve: (() => void)[];
  reject: ((cause: unknown) => void)[];
}

interface CartSnapshot {
  order: Order;
  /** When it was requested, on a clock that counts requests. */
  asked: number;
  /** When its answer arrived, on the same clock. */
  receivedAt: number;
}

export class CartStore {
  private held: CartSnapshot | undefined;
  /** By the id of the line. */
  private readonly pendingChanges = new Map<string, PendingChange>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly ended = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private line: Promise<unknown> = Promise.resolve();
  private open = 0;
  private clock = 0;
  /** Answers to requests from before this belong to another session's cart. */
  private since = 0;
  private readonly options: Required<CartStoreOptions>;

  /** `first` is the cart that the server's page shows, if it does. */
  constructor(options: CartStoreOptions, first?: Order) {
    this.options = { restMs: 350, ...options };
    if (first) this.held = { order: first, asked: 0, receivedAt: 0 };
  }

  /** True while a change is unanswered; the amounts of the bill are then outdated. */
  get pending(): boolean {
    return this.open > 0 || this.pendingChanges.size > 0;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the cart. Resolves with the cart to show, which may be newer than the answer. */
  async read(): Promise<Order> {
    const asked = ++this.clock;
    const answer = await this.options.calls.read();
    this.accept(answer, asked);
    return this.shown() ?? answer;
  }

  /** The newest known cart with the pending changes applied. */
  shown(): Order | undefined {
    const order = this.held?.order;
    if (!order || this.pendingChanges.size === 0) return order;
    const lineItems = order.lineItems.flatMap((line) => {
      const change = this.pendingChanges.get(line.id);
      if (!change) return [line];
      return change.quantity === 0
        ? []
        : [{ ...line, quantity: change.quantity, lineTotal: line.unitPrice * change.quantity }];
    });
    return { ...order, lineItems };
  }

  add(input: CartItem): Promise<Order> {
    this.flush();
    return this.enqueue(() => this.options.calls.add(input));
  }

  comment(value: string): Promise<Order> {
    return this.enqueue(() => this.options.calls.comment(value));
  }

  /** Runs another change of the order in its turn, after the waiting quantities, and shows the returned cart. */
  change(work: () => Promise<Order>): Promise<Order> {
    this.flush();
    return this.enqueue(work);
  }

  /**
   * Shows `quantity` at once and sends it after a pause; of several changes only the last is sent. Resolves when the server has
   * stored it; rejects when the server rejected it and the old quantity is shown again.
   */
  setQuantity(id: string, quantity: number): Promise<void> {
    const settled = this.record(id, quantity);
    clearTimeout(this.timers.get(id));
    this.timers.set(
      id,
      setTimeout(() => this.send(id), this.options.restMs),
    );
    return settled;
  }

  /** Removes a line at once. Rejects, with the line restored, if the server rejects it. */
  remove(id: string): Promise<void> {
    const settled = this.record(id, 0);
    this.send(id);
    return settled;
  }

  flush(): void {
    for (const id of [...this.timers.keys()]) this.send(id);
  }

  /** Resolves when every change has been answered, successfully or not. */
  async settled(): Promise<void> {
    this.flush();
    while (this.open > 0) await this.line;
  }

  /** Drops the cart after `orderId` was placed; late answers about it are ignored. */
  reset(orderId: string | null): void {
    if (orderId) this.ended.add(orderId);
    if (this.held?.order.orderID) this.ended.add(this.held.order.orderID);
    this.drop();
  }

  /**
   * Drops the cart of a session that has changed owner: answers to earlier requests are not shown. Await `settled` first if
   * changes are pending.
   */
  forget(): void {
    this.since = ++this.clock;
    this.drop();
  }

  private drop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    for (const change of this.pendingChanges.values()) for (const resolve of change.resolve) resolve();
    this.pendingChanges.clear();
    this.held = undefined;
    this.tell();
  }

  private record(id: string, quantity: number): Promise<void> {
    const earlier = this.pendingChanges.get(id);
    const change: PendingChange = { quantity, turn: ++this.clock, resolve: [], reject: [] };
    const settled = new Promise<void>((resolve, reject) => {
      // A change that was replaced by a later one settles with the later one.
      change.resolve = [...(earlier?.resolve ?? []), resolve];
      change.reject = [...(earlier?.reject ?? []), reject];
    });
    // Several changes may end in one rejection. The last caller reports it; the other promises need no handler.
    settled.catch(() => undefined);
    this.pendingChanges.set(id, change);
    this.tell();
    return settled;
  }

  private send(id: string): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    const turn = this.pendingChanges.get(id)?.turn;
    if (turn === undefined) return;
    void this.enqueue(async () => {
      const change = this.pendingChanges.get(id);
      // A newer change has its own turn in the queue, or is waiting for one.
      if (change?.turn !== turn) return undefined;
      try {
        const { calls } = this.options;
        const asked = ++this.clock;
        const answer =
          change.quantity === 0 ? await calls.remove(id) : await calls.setQuantity(id, change.quantity);
        if (this.pendingChanges.get(id)?.turn === turn) this.pendingChanges.delete(id);
        this.accept(answer, asked);
        if (!this.pendingChanges.has(id)) for (const resolve of change.resolve) resolve();
      } catch (cause) {
        // A newer change took over the promises of this one and will settle them.
        if (this.pendingChanges.get(id)?.turn === turn) {
          this.pendingChanges.delete(id);
          for (const reject of change.reject) reject(cause);
        }
      }
      return undefined;
    });
  }

  private enqueue<T extends Order | undefined>(work: () => Promise<T>): Promise<T> {
    this.open += 1;
    this.tell();
    const done = this.line.then(async () => {
      const asked = ++this.clock;
      try {
        const answer = await work();
        if (answer) this.accept(answer, asked);
        return answer;
      } finally {
        this.open -= 1;
        this.tell();
      }
    });
    this.line = done.catch(() => undefined);
    return done;
  }

  /**
   * Accepts an answer that is newer than the cart held. Versions compare only within one order; a cart with another id (the old
   * one was placed, or the session is new) is accepted if it was requested after the held one arrived, or, if the held one is the
   * empty cart of a new visitor, which has no id, after that was requested. At equal versions the later request wins, because stock
   * may have changed.
   */
  private accept(order: Order, asked: number): void {
    const { held } = this;
    if (asked < this.since || (order.orderID && this.ended.has(order.orderID))) return;
    if (held) {
      const sameOrder = held.order.orderID === order.orderID;
      if (sameOrder && order.version < held.order.version) return;
      if (sameOrder && order.version === held.order.version && asked < held.asked) return;
      if (!sameOrder && asked < (held.order.orderID ? held.receivedAt : held.asked)) return;
    }
    this.held = { order, asked, receivedAt: ++this.clock };
    this.tell();
  }

  private tell(): void {
    const order = this.shown();
    if (order) this.options.show(order);
    for (const listener of this.listeners) listener();
  }
}
