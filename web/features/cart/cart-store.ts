/**
 * Keeps the cart that a shopper sees truthful while changes overlap.
 *
 * What is shown is the newest answer of the server with the shopper's open wishes laid over it:
 * a quantity chosen, a line taken out. A wish is dropped when the server has answered it, so a late
 * answer to an earlier question never brings a removed line back, and a refused change falls back to
 * the server's own value. Calls go out one after another, in the order they were asked for.
 */
import type { Order } from '#contract/schemas/order.ts';

export interface AddInput {
  sku: string;
  product: string;
  productName: string;
  optionPairs: string;
  quantity: number;
}

/** The calls that the cart store makes. Each answers with the whole cart. */
export interface CartCalls {
  read(): Promise<Order>;
  add(input: AddInput): Promise<Order>;
  setQuantity(sku: string, quantity: number): Promise<Order>;
  remove(sku: string): Promise<Order>;
  comment(value: string): Promise<Order>;
}

export interface CartStoreOptions {
  calls: CartCalls;
  /** Called with the cart to show whenever that changes. */
  show(order: Order): void;
  /** How long a stepper has to rest before its choice is sent, milliseconds. */
  restMs?: number;
}

interface PendingChange {
  /** 0: the line is to go. */
  quantity: number;
  /** Tells the newest wish from one already under way. */
  turn: number;
  resolve: (() => void)[];
  reject: ((cause: unknown) => void)[];
}

interface CartSnapshot {
  order: Order;
  /** When it was asked for, counted in questions. */
  asked: number;
  /** When its answer came, counted in the same way. */
  receivedAt: number;
}

export class CartStore {
  private held: CartSnapshot | undefined;
  private readonly wishes = new Map<string, PendingChange>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly ended = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private line: Promise<unknown> = Promise.resolve();
  private open = 0;
  private clock = 0;
  /** Answers to questions from before this belong to somebody else's cart. */
  private since = 0;
  private readonly options: Required<CartStoreOptions>;

  constructor(options: CartStoreOptions) {
    this.options = { restMs: 350, ...options };
  }

  /** True while anything the shopper did is not yet answered: amounts of the bill are then of before. */
  get pending(): boolean {
    return this.open > 0 || this.wishes.size > 0;
  }

  /** Hears of every change of `pending`. Returns how to stop. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the cart; what comes back is what may be shown, not necessarily what was answered. */
  async read(): Promise<Order> {
    const asked = ++this.clock;
    const answer = await this.options.calls.read();
    this.accept(answer, asked);
    return this.shown() ?? answer;
  }

  /** The newest known cart with the open wishes laid over it. */
  shown(): Order | undefined {
    const order = this.held?.order;
    if (!order || this.wishes.size === 0) return order;
    const lineItems = order.lineItems.flatMap((line) => {
      const wish = this.wishes.get(line.sku);
      if (!wish) return [line];
      return wish.quantity === 0 ? [] : [{ ...line, quantity: wish.quantity, lineTotal: line.unitPrice * wish.quantity }];
    });
    return { ...order, lineItems };
  }

  /** Puts something in the cart. Rejects with the server's refusal. */
  add(input: AddInput): Promise<Order> {
    this.flush();
    return this.enqueue(() => this.options.calls.add(input));
  }

  /** Saves the shopper's note. Rejects with the server's refusal. */
  comment(value: string): Promise<Order> {
    return this.enqueue(() => this.options.calls.comment(value));
  }

  /** Runs another change of the order in its turn, after what was resting, and shows what comes back. */
  change(work: () => Promise<Order>): Promise<Order> {
    this.flush();
    return this.enqueue(work);
  }

  /**
   * Shows `quantity` at once and sends it when the stepper rests; of several choices only the last
   * goes out. Resolves when the server has it, rejects when it was refused and the old one is back.
   */
  setQuantity(sku: string, quantity: number): Promise<void> {
    const settled = this.wish(sku, quantity);
    clearTimeout(this.timers.get(sku));
    this.timers.set(
      sku,
      setTimeout(() => this.send(sku), this.options.restMs),
    );
    return settled;
  }

  /** Takes a line out at once. Rejects, with the line back, when the server refuses. */
  remove(sku: string): Promise<void> {
    const settled = this.wish(sku, 0);
    this.send(sku);
    return settled;
  }

  /** Sends what is still resting, without waiting for the stepper. */
  flush(): void {
    for (const sku of [...this.timers.keys()]) this.send(sku);
  }

  /** Resolves when everything the shopper did has been answered, well or badly. */
  async settled(): Promise<void> {
    this.flush();
    while (this.open > 0) await this.line;
  }

  /** Forgets the cart, after `orderId` was placed: late answers about it are then ignored. */
  reset(orderId: string | null): void {
    if (orderId) this.ended.add(orderId);
    if (this.held?.order.orderID) this.ended.add(this.held.order.orderID);
    this.drop();
  }

  /**
   * Forgets the cart of a session that has changed hands: what was asked before this is not shown any
   * more. What was still open should be `settled` first.
   */
  forget(): void {
    this.since = ++this.clock;
    this.drop();
  }

  private drop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    for (const wish of this.wishes.values()) for (const resolve of wish.resolve) resolve();
    this.wishes.clear();
    this.held = undefined;
    this.tell();
  }

  private wish(sku: string, quantity: number): Promise<void> {
    const earlier = this.wishes.get(sku);
    const wish: PendingChange = { quantity, turn: ++this.clock, resolve: [], reject: [] };
    const settled = new Promise<void>((resolve, reject) => {
      // A choice that a later one replaced is settled with the later one.
      wish.resolve = [...(earlier?.resolve ?? []), resolve];
      wish.reject = [...(earlier?.reject ?? []), reject];
    });
    // Several choices end in one refusal, and whoever asked last says it; the rest need not be handled.
    settled.catch(() => undefined);
    this.wishes.set(sku, wish);
    this.tell();
    return settled;
  }

  private send(sku: string): void {
    clearTimeout(this.timers.get(sku));
    this.timers.delete(sku);
    const turn = this.wishes.get(sku)?.turn;
    if (turn === undefined) return;
    void this.enqueue(async () => {
      const wish = this.wishes.get(sku);
      // A newer wish has its own turn in the line, or is resting and will have.
      if (wish?.turn !== turn) return undefined;
      try {
        const { calls } = this.options;
        const asked = ++this.clock;
        const answer = wish.quantity === 0 ? await calls.remove(sku) : await calls.setQuantity(sku, wish.quantity);
        if (this.wishes.get(sku)?.turn === turn) this.wishes.delete(sku);
        this.accept(answer, asked);
        if (!this.wishes.has(sku)) for (const resolve of wish.resolve) resolve();
      } catch (cause) {
        // A newer wish took over the promises of this one: its own answer settles them.
        if (this.wishes.get(sku)?.turn === turn) {
          this.wishes.delete(sku);
          for (const reject of wish.reject) reject(cause);
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
   * Takes an answer that is newer than what is held. Versions only compare within one order; a cart of
   * another id (the old one was placed, the session is new) counts when it was asked for after the held
   * one had come. At equal versions the later question wins: stock may have changed.
   */
  private accept(order: Order, asked: number): void {
    const { held } = this;
    if (asked < this.since || (order.orderID && this.ended.has(order.orderID))) return;
    if (held) {
      const sameOrder = held.order.orderID === order.orderID;
      if (sameOrder && order.version < held.order.version) return;
      if (sameOrder && order.version === held.order.version && asked < held.asked) return;
      if (!sameOrder && asked < held.receivedAt) return;
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
