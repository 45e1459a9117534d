import type { CommandSetup } from '../command.ts';
import { schema } from '../json-file.ts';
import { agents } from './agents.ts';
import { coupon } from './coupon.ts';
import { backup, migrate, move } from './database.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { blog, fill } from './fill.ts';
import { importCommand } from './import.ts';
import { journal } from './journal.ts';
import { media } from './media.ts';
import { messages, searches } from './messages.ts';
import { orders } from './orders.ts';
import { reconcile, refund, refunds } from './payments.ts';
import { customer, staff } from './people.ts';
import { remove } from './remove.ts';
import { settings } from './settings.ts';
import { soldOut, stock } from './stock.ts';
import { pickup, tableCards } from './stores.ts';
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
