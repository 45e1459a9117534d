import type { CommandSetup } from '../command.ts';
import { schema } from '../json-schema.ts';
import { agents } from './agents.ts';
import { coupon } from './coupon.ts';
import { customer } from './customer.ts';
import { backup, migrate, move } from './database.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { blog, fill } from './fill.ts';
import { importCommand } from './import.ts';
import { journal } from './journal.ts';
import { media } from './media.ts';
import { messages, searches } from './messages.ts';
import { orders } from './orders.ts';
import { pickup } from './pickup.ts';
import { reconcile } from './reconcile.ts';
import { refund, refunds } from './refunds.ts';
import { remove } from './remove.ts';
import { settings } from './settings.ts';
import { soldOut } from './sold-out.ts';
import { staff } from './staff.ts';
import { stock } from './stock.ts';
import { tableCards } from './table-cards.ts';
import { webhooks } from './webhooks.ts';

/** In the order in which the help lists them. */
export const commands: readonly CommandSetup[] = [
  doctor,
  backup,
  migrate,
  move,
  orders,
  refund,
  refunds,
  reconcile,
  customer,
  journal,
  staff,
  coupon,
  settings,
  fill,
  importCommand,
  blog,
  schema,
  exportCommand,
  remove,
  media,
  messages,
  searches,
  soldOut,
  pickup,
  stock,
  tableCards,
  webhooks,
  agents,
];
