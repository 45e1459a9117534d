/**
 * What the books are made of: accounts, events, and how sales are taxed. A new one is a row here, and its words in the messages; what has
 * to say something of each is typed by these tables, and does not compile until it does.
 */

/**
 * What an account is to a balance sheet or an income statement.
 * - `income`: what the shop earns, before taxes. Its discounts are income below zero.
 * - `liability`: what the shop owes.
 * - `asset`: what it has, or is owed.
 * - `expense`: what it costs.
 */
export type AccountKind = 'income' | 'liability' | 'asset' | 'expense';

/**
 * Where a report shows an account.
 * - `sold`: among sales.
 * - `passedOn`: what is sold with it and is others': taxes and tips.
 * - `money`: by way of paying.
 * - `other`: costs, and differences that somebody should know of.
 * - `elsewhere`: in a report of its own, of what is owed or of stock.
 */
type Section = 'sold' | 'passedOn' | 'money' | 'other' | 'elsewhere';

/** An amount above zero is a debit, one below a credit, as in double-entry bookkeeping; an event sums to zero. */
const accountTable = {
  sales: { kind: 'income', section: 'sold' },
  discounts: { kind: 'income', section: 'sold' },
  shipping: { kind: 'income', section: 'sold' },
  service: { kind: 'income', section: 'sold' },
  /** What is kept of cancelled orders. */
  kept: { kind: 'income', section: 'sold' },
  /** Collected, less what was given back. */
  tax: { kind: 'liability', section: 'passedOn' },
  /** For the staff. */
  tips: { kind: 'liability', section: 'passedOn' },
  /** What buyers owe; below zero what is owed to them. */
  receivable: { kind: 'asset', section: 'elsewhere' },
  /** By way of paying: cash in the drawers, and what terminals and providers hold. */
  money: { kind: 'asset', section: 'money' },
  bank: { kind: 'asset', section: 'other' },
  inventory: { kind: 'asset', section: 'elsewhere' },
  goods: { kind: 'expense', section: 'elsewhere' },
  fees: { kind: 'expense', section: 'other' },
  disputes: { kind: 'expense', section: 'other' },
  /** What rounding to coins took off the cash. Reports show it beside money, where above zero is what it added. */
  rounding: { kind: 'expense', section: 'money' },
  /** Cash that was taken out of a drawer and spent. */
  spent: { kind: 'expense', section: 'other' },
  /** Cash that a count of a drawer found missing; below zero what it found too much. */
  overShort: { kind: 'expense', section: 'other' },
  /** A difference that nothing explains, such as a bill of a damaged row. `doctor` names it. */
  suspense: { kind: 'asset', section: 'other' },
} as const satisfies Record<string, { kind: AccountKind; section: Section }>;

type AccountTable = typeof accountTable;
export type Account = keyof AccountTable;
type AccountIn<S extends Section> = {
  [A in Account]: AccountTable[A]['section'] extends S ? A : never;
}[Account];
/** Accounts of what was sold. */
export type SoldAccount = AccountIn<'sold'>;

export const accounts = Object.keys(accountTable) as [Account, ...Account[]];
export const kindOf = (account: Account): AccountKind => accountTable[account].kind;
/** The accounts that a section shows, in their order. */
export const accountsIn = <S extends Section>(section: S): AccountIn<S>[] =>
  accounts.filter((account): account is AccountIn<S> => accountTable[account].section === section);
export const soldAccounts = accountsIn('sold');

/**
 * By which an amount of the books is multiplied to read as screens, files and takings say it: what was earned, is owed, or was added to
 * money is above zero there.
 */
export const reportSign = (account: Account): 1 | -1 => {
  const isAgainstMoney = accountTable[account].section === 'money' && kindOf(account) === 'expense';
  return isAgainstMoney || kindOf(account) === 'income' || kindOf(account) === 'liability' ? -1 : 1;
};

/** What an event is to a sale and to money: `sold` with its changes, `cancelled` with lapses, `back` for what refunds and disputes do. */
export const movements = ['sold', 'cancelled', 'back', 'received', 'other'] as const;
export type Movement = (typeof movements)[number];

/** What entries are written for. Of some, reports count the orders. */
const eventTable = {
  sale: { movement: 'sold', counted: 'placed' },
  change: { movement: 'sold' },
  cancellation: { movement: 'cancelled', counted: 'cancelled' },
  lapse: { movement: 'cancelled', counted: 'cancelled' },
  payment: { movement: 'received' },
  paymentUndone: { movement: 'received' },
  refund: { movement: 'back' },
  refundRefused: { movement: 'back' },
  dispute: { movement: 'back' },
  disputeWon: { movement: 'back' },
  fee: { movement: 'other' },
  payout: { movement: 'other' },
  cashIn: { movement: 'other' },
  cashOut: { movement: 'other' },
  /** What goods cost. It follows from stock, and not from the order. */
  cost: { movement: 'other' },
} as const satisfies Record<string, { movement: Movement; counted?: 'placed' | 'cancelled' }>;

export type BookEvent = keyof typeof eventTable;
export const bookEvents = Object.keys(eventTable) as [BookEvent, ...BookEvent[]];
export const movementOf = (event: BookEvent): Movement => eventTable[event].movement;
/** The events of a movement. */
export const eventsIn = (wanted: readonly Movement[]): BookEvent[] =>
  bookEvents.filter((event) => wanted.includes(movementOf(event)));
/** The events of which reports count the orders. */
export type CountedEvent = {
  [E in BookEvent]: (typeof eventTable)[E] extends { counted: string } ? E : never;
}[BookEvent];
export const countedEvents = bookEvents.filter(
  (event): event is CountedEvent => 'counted' in eventTable[event],
);
/** As what an order is counted of which this happened. */
export const countedAs = (event: CountedEvent): 'placed' | 'cancelled' => eventTable[event].counted;

/** What an entry says besides its account, event and amounts, by the lists in which figures ask for it. */
export const fieldLists = {
  /** `line`, `shipping`, `serviceCharge` or `tip`; of what goods cost `sold` or `lost`; '' for none. */
  parts: 'part',
  /** Where the sale belongs to, such as `CA-ON` or `US`; '' if it is unknown. */
  places: 'place',
  taxClasses: 'taxClass',
  /** A `Treatment`; '' where nothing is sold. */
  treatments: 'treatment',
  /** The name of the tax, such as HST; '' for none. */
  taxes: 'tax',
  /** Thousandths of a percent. */
  rates: 'rate',
  /** Cash, terminal, other, or the provider; '' for none. */
  ways: 'way',
} as const;
export type EntryField = (typeof fieldLists)[keyof typeof fieldLists];
export const entryFields: readonly EntryField[] = Object.values(fieldLists);
export type EntryFields = { [F in EntryField]: F extends 'rate' ? number : string };
