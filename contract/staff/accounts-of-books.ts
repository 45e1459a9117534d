/** The accounts of the books. An amount above zero is a debit, one below a credit, as in double-entry bookkeeping; an event sums to zero. */

/**
 * What each account is to a balance sheet or an income statement.
 * - `income`: what the shop earns, before taxes. Its discounts are income below zero.
 * - `liability`: what the shop owes.
 * - `asset`: what it has, or is owed.
 * - `expense`: what it costs.
 */
export type AccountKind = 'income' | 'liability' | 'asset' | 'expense';

const table = {
  sales: 'income',
  discounts: 'income',
  shipping: 'income',
  service: 'income',
  /** What is kept of cancelled orders. */
  kept: 'income',
  /** Collected, less what was given back. */
  tax: 'liability',
  /** For the staff. */
  tips: 'liability',
  /** What buyers owe; below zero what is owed to them. */
  receivable: 'asset',
  /** By way of paying: cash in the drawers, and what terminals and providers hold. */
  money: 'asset',
  bank: 'asset',
  inventory: 'asset',
  goods: 'expense',
  fees: 'expense',
  disputes: 'expense',
  rounding: 'expense',
  /** Cash that was taken out of a drawer and spent. */
  spent: 'expense',
  /** Cash that a count of a drawer found missing; below zero what it found too much. */
  overShort: 'expense',
  /** A difference that nothing explains, such as a bill of a damaged row. `doctor` names it. */
  suspense: 'asset',
} as const satisfies Record<string, AccountKind>;

export type Account = keyof typeof table;
export const accountKinds: Readonly<Record<Account, AccountKind>> = table;
export const accounts = Object.keys(table) as [Account, ...Account[]];

export const incomeAccounts = accounts.filter((each) => accountKinds[each] === 'income');

/** What entries are written for. */
export const bookEvents = [
  'sale',
  'change',
  'cancellation',
  'lapse',
  'payment',
  'paymentUndone',
  'refund',
  'refundRefused',
  'dispute',
  'disputeWon',
  'fee',
  'payout',
  'cashIn',
  'cashOut',
  'cost',
] as const;
export type BookEvent = (typeof bookEvents)[number];

/** What an event is to a sale and to money: `sold` with its changes, `cancelled` with lapses, `back` for what refunds and disputes do. */
export const movements = ['sold', 'cancelled', 'back', 'received', 'other'] as const;
export type Movement = (typeof movements)[number];

const movementTable: Readonly<Record<BookEvent, Movement>> = {
  sale: 'sold',
  change: 'sold',
  cancellation: 'cancelled',
  lapse: 'cancelled',
  refund: 'back',
  refundRefused: 'back',
  dispute: 'back',
  disputeWon: 'back',
  payment: 'received',
  paymentUndone: 'received',
  fee: 'other',
  payout: 'other',
  cashIn: 'other',
  cashOut: 'other',
  cost: 'other',
};
export const movementOf = (event: BookEvent): Movement => movementTable[event];
/** The events of a movement. */
export const eventsIn = (wanted: readonly Movement[]): BookEvent[] =>
  bookEvents.filter((event) => wanted.includes(movementOf(event)));

/** By which an amount of the books is multiplied to read as a report says it: what was earned and is owed is above zero there. */
export const reportSign = (account: Account): 1 | -1 =>
  accountKinds[account] === 'income' || accountKinds[account] === 'liability' ? -1 : 1;
