/**
 * Measures a password-guessing attack: `npm run bench:brute-force -- [--guesses 10000] [--addresses 2000] [--accounts 100]`.
 *
 * Sends wrong sign-ins from many addresses to many accounts, as fast as they are answered, while customers continue to shop and
 * sign in. Prints the answers to the guesses, and how long the customers waited before and during the attack. The addresses are
 * invented in `X-Forwarded-For`, which the server trusts because it is configured to be behind a proxy on this machine.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { startServer, temporaryFolder } from './servers.ts';

const { values } = parseArgs({
  options: {
    guesses: { type: 'string', default: '10000' },
    addresses: { type: 'string', default: '2000' },
    accounts: { type: 'string', default: '100' },
    connections: { type: 'string', default: '32' },
  },
});
const guesses = Number(values.guesses);
const addresses = Number(values.addresses);
const accounts = Number(values.accounts);
const customers = 20;
const password = 'a pot of oolong at four';

const { folder, remove } = temporaryFolder();
const script = path.resolve(import.meta.dirname, '../tests/api-process.ts');
const env = { DATA_DIR: folder, PORT: '0', PUBLIC_URL: 'http://127.0.0.1', DEMO: '1', LOG_LEVEL: 'error' };
const shop = await startServer(script, env);

interface Said {
  status: number;
  ms: number;
  cookie: string;
}

async function ask(path: string, address: string, body?: object, cookie = ''): Promise<Said> {
  const started = performance.now();
  const answer = await fetch(new URL(apiBase + path, shop.url), {
    method: body ? 'POST' : 'GET',
    headers: {
      [clientTokenHeader]: clientToken,
      'x-forwarded-for': address,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(cookie ? { cookie } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  await answer.arrayBuffer();
  return {
    status: answer.status,
    ms: performance.now() - started,
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

const addressOf = (n: number) => `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
const homeOf = (n: number) => `203.0.113.${n}`;
const emailOf = (n: number) => `customer.${n}@example.com`;

for (let n = 0; n < customers; n++) {
  const { status } = await ask('common3/clientRegistration', homeOf(n), {
    firstName: 'C',
    lastName: String(n),
    email: emailOf(n),
    password,
  });
  if (status !== 200) throw new Error(`registering answered ${status}`);
}

const waits = {
  list: [] as number[],
  cart: [] as number[],
  signOn: [] as number[],
  signOnElsewhere: [] as number[],
};
type Waits = typeof waits;
let refused = 0;

/** One visit of a customer: browses, buys, signs in from home, and occasionally from an unknown network. */
async function visit(n: number, into: Waits): Promise<void> {
  const who = n % customers;
  const list = await ask('productManagement2/products?sortby=price', homeOf(who));
  into.list.push(list.ms);
  const cart = await ask('shoppingManagement4/myCart/MC-CM-01-OAT', homeOf(who), { quantity: 1 });
  into.cart.push(cart.ms);
  const home = await ask('common3/signon', homeOf(who), { userID: emailOf(who), password });
  into.signOn.push(home.ms);
  if (list.status !== 200 || cart.status !== 200 || home.status !== 200) refused += 1;
  if (n % 5 === 0) {
    const elsewhere = await ask('common3/signon', `192.0.2.${n % 250}`, { userID: emailOf(who), password });
    if (elsewhere.status === 200) into.signOnElsewhere.push(elsewhere.ms);
  }
}

const before: Waits = { list: [], cart: [], signOn: [], signOnElsewhere: [] };
for (let n = 0; n < 60; n++) await visit(n, before);

const statuses = new Map<number, number>();
let next = 0;
async function guess(): Promise<void> {
  while (next < guesses) {
    const n = next++;
    // Half of the attacked accounts exist.
    const target = n % accounts;
    const userID = target % 2 === 0 ? emailOf((target / 2) % customers) : `nobody.${target}@example.com`;
    const { status } = await ask('common3/signon', addressOf(n % addresses), {
      userID,
      password: `guess number ${n}`,
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}
let attacking = true;
const started = performance.now();
const attack = Promise.all(Array.from({ length: Number(values.connections) }, guess)).then(() => {
  attacking = false;
});
for (let n = 0; attacking; n++) await visit(n, waits);
await attack;
const seconds = (performance.now() - started) / 1000;

const at = (numbers: number[], share: number) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
const row = (what: string, calm: number[], busy: number[]) =>
  `| ${what} | ${at(calm, 0.5).toFixed(0)} / ${at(calm, 0.95).toFixed(0)} | ${at(busy, 0.5).toFixed(0)} / ${at(busy, 0.95).toFixed(0)} | ${busy.length} |`;
const count = (status: number) => statuses.get(status) ?? 0;
console.log(
  `${guesses} wrong sign-ons from ${addresses} addresses on ${accounts} accounts in ${seconds.toFixed(0)} s:`,
);
console.log(
  `${count(200)} got in, ${count(401)} were checked, ${count(429)} were turned away (${[...statuses].map(([s, c]) => `${s}: ${c}`).join(', ')})`,
);
console.log(`Customers who were refused anything at home: ${refused}\n`);
console.log(
  '| What a customer does | before: ms, median / p95 | during: ms, median / p95 | times |\n|---|---:|---:|---:|',
);
console.log(row('A product list', before.list, waits.list));
console.log(row('Adds to the cart', before.cart, waits.cart));
console.log(row('Signs on at home', before.signOn, waits.signOn));
console.log(row('Signs on elsewhere', before.signOnElsewhere, waits.signOnElsewhere));
await shop.stop();
remove();
process.exitCode = count(200) === 0 ? 0 : 1;
