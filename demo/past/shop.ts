/** The services of a shop at a time that is set, and who works there. */
import type { Permission } from '#contract/staff/permissions.ts';
import type { Database } from '#db/database.ts';
import { type Joined, joinTransactions } from '#db/joined.ts';
import { createContainer, type Services } from '#server/container.ts';
import type { Env } from '#server/env.ts';
import { createPasswords } from '#server/modules/customers/index.ts';
import type { Actor } from '#server/platform/actors.ts';
import { mintPermit, type Permit } from '#server/platform/permits.ts';

export interface PastShop {
  services: Services;
  /** Transactions of the services within it are one. */
  together: Joined['together'];
  /** Within `together`: all of the work, or nothing of it. */
  apart: Joined['apart'];
  db: Database;
  /** The time that the services know, epoch ms. */
  at: number;
  /** When the past ends: nothing happens later. */
  until: number;
  who(person: Person): Actor;
  permit<P extends Permission>(person: Person, permission: P, ...also: Permission[]): Permit<P>;
}

export type Person = 'mei' | 'noah' | 'aisha' | 'jonas';

export function openPastShop(db: Database, env: Env, until: number): PastShop {
  const { db: joined, together, apart } = joinTransactions(db);
  // Nobody knows the passwords of the past's customers, so that hashes need not take time.
  const passwords = createPasswords(undefined, { memory: 256, passes: 1, parallelism: 1 });
  // Where the demo's people cannot enter the office, they are not there.
  const who = (person: Person): Actor =>
    env.demoStaff ? { kind: 'staff', id: `demo-${person}` } : { kind: 'system' };
  const shop: PastShop = {
    services: createContainer({ db: joined, env, now: () => shop.at, passwords }),
    together,
    apart,
    db: joined,
    at: until,
    until,
    who,
    permit: (person, permission, ...also) => mintPermit(permission, who(person), null, { also }),
  };
  return shop;
}
