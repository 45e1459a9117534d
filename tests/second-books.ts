/**
 * A second set of books, against which those of the shop are compared. It imports nothing of the program, and reads no books: only the
 * rows of orders, their bills, payments, refunds and disputes, as they are at a moment. What has been added since it last looked was
 * collected, or given back, on that day.
 */

type Row = Record<string, unknown>;

export interface Figures {
  /** By place and tax, such as `CA-ON HST 13%`; what was collected less what was given back. */
  taxes: Record<string, number>;
  /** Goods, shipping and charges after discounts, without taxes and tips. */
  net: number;
  tips: number;
  /** By provider, or kind at the counter; what came in less what went out. */
  money: Record<string, number>;
  /** Taken by banks in disputes that were lost. */
  lost: number;
}

interface Share {
  place: string;
  net: number;
  taxes: { label: string; amount: number }[];
}

interface BillPart {
  of: string;
  line: string | null;
  place: string;
  quantity: number;
  base: number;
  taxes: { label: string; amount: number }[];
}

interface Bill {
  subtotal: number;
  discount: number;
  shipping: number;
  tip: number;
  total: number;
  serviceCharge?: { amount: number };
  taxLines: { label: string; amount: number }[];
  taxed?: BillPart[];
}

const none = (): Figures => ({ taxes: {}, net: 0, tips: 0, money: {}, lost: 0 });
const number = (value: unknown) => Number(value ?? 0);
const rounded = (cents: number, part: number, whole: number) =>
  Math.floor((2 * cents * part + whole) / (2 * whole));

/** In whole cents that sum to `total`: each is cut off, and the cents that are left go to the largest rests. */
function divide(total: number, cents: readonly number[]): number[] {
  const all = cents.reduce((sum, each) => sum + each, 0);
  const shares = cents.map((each) => Math.floor((total * each) / all));
  const byRest = cents
    .map((each, index) => ({ index, rest: (total * each) % all }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index);
  const missing = total - shares.reduce((sum, each) => sum + each, 0);
  for (const { index } of byRest.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

function divideParts(amount: number, parts: readonly BillPart[], tip = 0): { shares: Share[]; tip: number } {
  const cents = [...parts.flatMap(({ base, taxes }) => [base, ...taxes.map((tax) => tax.amount)]), tip];
  const own = divide(amount, cents);
  const shares = parts.map(({ place, taxes }) => ({
    place,
    net: own.shift() ?? 0,
    taxes: taxes.map(({ label }) => ({ label, amount: own.shift() ?? 0 })),
  }));
  return { shares, tip: own.shift() ?? 0 };
}

function taken(part: BillPart, share: Share | undefined): BillPart {
  if (!share) return part;
  const taxes = part.taxes.map((tax, index) => ({
    ...tax,
    amount: tax.amount - (share.taxes[index]?.amount ?? 0),
  }));
  return { ...part, base: part.base - share.net, taxes };
}

/** What the refunds of one standing order gave back, the oldest first. Each keeps what it was when it was first seen. */
function sharesOf(bill: Bill, refunds: readonly Row[], seen: Map<string, Share[]>): Share[] {
  const parts = bill.taxed ?? [];
  const units = new Map<string, number>();
  let left = [...parts];
  return refunds.flatMap((refund) => {
    const id = String(refund.id);
    const amount = number(refund.amount_cents) - number(refund.tip_cents);
    const covers = refund.covers ? (JSON.parse(String(refund.covers)) as Row) : null;
    const lines = (covers?.lines ?? []) as { line: string; quantity: number }[];
    const own = parts.map((part, index): Share => {
      const wanted = lines.find(({ line }) => line === part.line);
      const isWhole = part.of !== 'line' && covers?.[part.of] === true;
      const empty = {
        place: part.place,
        net: 0,
        taxes: part.taxes.map(({ label }) => ({ label, amount: 0 })),
      };
      if (!covers || (part.of === 'line' ? !wanted : !isWhole)) return empty;
      const from = isWhole ? 0 : (units.get(`${index}`) ?? 0);
      const [to, whole] = isWhole ? [1, 1] : [from + (wanted?.quantity ?? 0), part.quantity];
      units.set(`${index}`, to);
      const share = (cents: number) => rounded(cents, to, whole) - rounded(cents, from, whole);
      return {
        place: part.place,
        net: share(part.base),
        taxes: part.taxes.map((tax) => ({ ...tax, amount: share(tax.amount) })),
      };
    });
    const shares = covers ? own : divideParts(amount, left).shares;
    left = left.map((part, index) => taken(part, shares[index]));
    const known = seen.get(id) ?? shares;
    seen.set(id, known);
    return known;
  });
}

function add(figures: Record<string, number>, key: string, amount: number): void {
  if (amount !== 0) figures[key] = (figures[key] ?? 0) + amount;
}

function placeOf(order: Row, stores: ReadonlyMap<string, string>): string {
  const json = order.method === 'shipping' ? order.shipping_address : stores.get(String(order.store_id));
  const address = JSON.parse(String(json)) as Row;
  return address.countryISOCode === 'CA' ? `CA-${address.provinceCode}` : String(address.countryISOCode);
}

export function openSecondBooks(query: (statement: string) => Promise<Row[]>) {
  const seen = new Map<string, Share[]>();
  let last = none();
  const days = new Map<string, Figures>();

  /** What all orders come to now. */
  async function standing(): Promise<Figures> {
    const sums = none();
    const stores = new Map(
      (await query('select id, address from stores')).map((row) => [String(row.id), String(row.address)]),
    );
    const payments = await query('select * from payments');
    const refunds = await query('select * from refunds order by created_at, id');
    const disputes = new Set((await query('select id from disputes')).map(({ id }) => id));
    for (const order of await query('select * from orders where order_number is not null')) {
      const ofOrder = payments.filter(({ order_id }) => order_id === order.id);
      const received = ofOrder.filter(
        ({ received_at, undone_at }) => received_at !== null && undone_at === null,
      );
      const back = refunds.filter(
        ({ payment_id, state }) => state !== 'refused' && ofOrder.some(({ id }) => id === payment_id),
      );
      const wayOf = (payment: Row | undefined) =>
        String(payment?.provider === 'counter' ? payment.kind : payment?.provider);
      for (const payment of received)
        add(sums.money, wayOf(payment), number(payment.amount_cents) + number(payment.rounding_cents));
      for (const refund of back) {
        const way = wayOf(ofOrder.find(({ id }) => id === refund.payment_id));
        const cents = number(refund.amount_cents);
        // Canada has no smaller coin than five cents.
        add(sums.money, way, way === 'cash' ? -5 * Math.floor((cents + 2) / 5) : -cents);
      }
      if (order.placed_at === null || order.bill === null || order.state === 'lapsed') continue;
      const bill = JSON.parse(String(order.bill)) as Bill;
      if (order.state === 'cancelled') {
        const total = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + number(row.amount_cents), 0);
        const kept = Math.min(total(received) - total(back), bill.total);
        if (kept <= 0) continue;
        const { shares, tip } = divideParts(kept, bill.taxed ?? [], bill.tip);
        count(shares, 1);
        sums.net += tip;
        continue;
      }
      sums.net += bill.subtotal - bill.discount + bill.shipping + (bill.serviceCharge?.amount ?? 0);
      sums.tips += bill.tip;
      for (const { label, amount } of bill.taxLines)
        add(sums.taxes, `${placeOf(order, stores)} ${label}`, amount);
      const lowering = back.filter(({ id, corrects }) => corrects !== 1 && !disputes.has(id));
      count(sharesOf(bill, lowering, seen), -1);
      sums.tips -= lowering.reduce((sum, { tip_cents }) => sum + number(tip_cents), 0);
      sums.lost += back.reduce(
        (sum, { id, amount_cents }) => sum + (disputes.has(id) ? number(amount_cents) : 0),
        0,
      );
    }
    return sums;

    function count(shares: readonly Share[], sign: 1 | -1): void {
      for (const { place, net, taxes } of shares) {
        sums.net += sign * net;
        for (const { label, amount } of taxes) add(sums.taxes, `${place} ${label}`, sign * amount);
      }
    }
  }

  function difference(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
    const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
    return Object.fromEntries(
      [...keys].flatMap((key) => {
        const cents = (after[key] ?? 0) - (before[key] ?? 0);
        return cents === 0 ? [] : [[key, cents]];
      }),
    );
  }

  return {
    /** Adds to a day what has become of the orders since the last look. */
    async look(day: string): Promise<void> {
      const now = await standing();
      const known = days.get(day) ?? none();
      const fresh = { taxes: difference(now.taxes, last.taxes), money: difference(now.money, last.money) };
      for (const [key, cents] of Object.entries(fresh.taxes)) add(known.taxes, key, cents);
      for (const [key, cents] of Object.entries(fresh.money)) add(known.money, key, cents);
      days.set(day, {
        ...known,
        net: known.net + now.net - last.net,
        tips: known.tips + now.tips - last.tips,
        lost: known.lost + now.lost - last.lost,
      });
      last = now;
    },
    /** Of the days that begin so, such as `2026-10`. */
    of(prefix: string): Figures {
      const sums = none();
      for (const [day, { taxes, money, net, tips, lost }] of days) {
        if (!day.startsWith(prefix)) continue;
        for (const [key, cents] of Object.entries(taxes)) add(sums.taxes, key, cents);
        for (const [key, cents] of Object.entries(money)) add(sums.money, key, cents);
        sums.net += net;
        sums.tips += tips;
        sums.lost += lost;
      }
      for (const sum of [sums.taxes, sums.money])
        for (const key of Object.keys(sum)) if (sum[key] === 0) delete sum[key];
      return sums;
    },
    days: () => [...days.keys()].sort(),
  };
}
