/** `webhooks …`: manages the endpoints that receive events, and their deliveries (docs/how-to/webhooks.md). */
import type { Services } from '#server/container.ts';
import {
  type DeliveryRecord,
  type WebhookEndpoint,
  type WebhookEventType,
  webhookEventTypes,
} from '#server/modules/webhooks/index.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { printable } from '../printable.ts';
import { readArgs, withShop } from '../shop.ts';

const addUsage = 'webhooks add <url> --events <type,…>|all';
const deliveriesUsage = 'webhooks deliveries [--endpoint <id>] [--state waiting|sending|delivered|failed] [--limit N]';

/** The length of `delivered`, the longest state. */
const stateWidth = 9;

const help = `Usage:
npm run shop -- ${addUsage}
    event types: ${webhookEventTypes.join(', ')}
npm run shop -- webhooks list
npm run shop -- webhooks remove <id>           removes the endpoint and its deliveries
npm run shop -- webhooks pause <id>            events are recorded and wait
npm run shop -- webhooks resume <id>           sends what waits; also after 410 Gone
npm run shop -- webhooks test <id>             sends one message of type webhook.test and shows the answer
npm run shop -- webhooks rotate <id>           makes a new secret; the previous one also signs for 24 hours
npm run shop -- ${deliveriesUsage}
npm run shop -- webhooks resend <delivery id>  sends a delivery again with the same webhook-id`;

type Action = (shop: Services, args: readonly string[], terminal: Terminal) => Promise<number>;

const actions: Readonly<Record<string, Action>> = { add, list, remove, pause, resume, test, rotate, deliveries, resend };

export const webhooks: Command = {
  usage: 'add|list|test|deliveries …',
  summary: 'Manages webhooks. Run `webhooks help` for usage.',
  async run([action = 'help', ...args], terminal) {
    if (action === 'help' || action === '--help') {
      terminal.print(help);
      return 0;
    }
    const work = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!work) throw new CommandError(`Unknown action: webhooks ${action}.\n\n${help}`);
    return withShop(terminal, (shop) => work(shop, args, terminal));
  },
};

async function add({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { events: { type: 'string' } } as const;
  const { positionals, values } = readArgs({ args: [...args], options, allowPositionals: true }, addUsage);
  const [url, ...rest] = positionals;
  if (url === undefined || rest.length > 0) throw usageError('Expected one URL.', addUsage);
  const { id, url: added, secret } = await webhooks.add(url, eventTypes(values.events));
  terminal.print(`Added endpoint ${id}: ${added}.`);
  printSecret(secret, terminal);
  terminal.print(`To send a test message, run: npm run shop -- webhooks test ${id}`);
  return 0;
}

function eventTypes(text = ''): WebhookEventType[] {
  if (text === 'all') return [...webhookEventTypes];
  return text.split(',').map((part) => {
    const type = webhookEventTypes.find((each) => each === part.trim());
    if (!type) throw usageError(`--events must be all, or some of ${webhookEventTypes.join(',')}.`, addUsage);
    return type;
  });
}

function printSecret(secret: string, terminal: Terminal): void {
  terminal.print(`Secret (shown only now; enter it in the receiver): ${secret}`);
}

async function list({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  readArgs({ args: [...args] }, 'webhooks list');
  const endpoints = await webhooks.list();
  if (endpoints.length === 0) terminal.print('No endpoints. Run "npm run shop -- webhooks help" to see how to add one.');
  for (const endpoint of endpoints) {
    terminal.print(`${endpoint.id}  ${stateOf(endpoint)}  ${endpoint.url}`);
    terminal.print(`    events: ${endpoint.events.join(', ')}`);
    terminal.print(
      `    deliveries of the last 30 days: ${endpoint.delivered} delivered, ${endpoint.waiting} waiting, ${endpoint.failed} failed`,
    );
  }
  return 0;
}

function stateOf({ state, failingSince, previousUntil }: WebhookEndpoint): string {
  return [
    state === 'gone' ? 'disabled (410 Gone)' : state,
    ...(state === 'active' && failingSince !== null ? [`failing since ${timeOf(failingSince)}`] : []),
    ...(previousUntil !== null && previousUntil > Date.now() ? [`previous secret until ${timeOf(previousUntil)}`] : []),
  ].join(', ');
}

async function remove({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const id = idIn(args, 'webhooks remove <id>');
  await webhooks.remove(id);
  terminal.print(`Removed endpoint ${id} and its deliveries.`);
  return 0;
}

async function pause({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const id = idIn(args, 'webhooks pause <id>');
  await webhooks.pause(id);
  terminal.print(`Paused endpoint ${id}. Events are recorded and wait for up to 30 days.`);
  return 0;
}

async function resume({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const id = idIn(args, 'webhooks resume <id>');
  const waiting = await webhooks.resume(id);
  terminal.print(`Resumed endpoint ${id}. Deliveries waiting: ${waiting}.`);
  return 0;
}

async function test({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const { accepted, answer } = await webhooks.test(idIn(args, 'webhooks test <id>'));
  terminal.print(accepted ? `OK    The endpoint answered ${answer}.` : `FAIL  Not accepted: ${printable(answer)}`);
  return accepted ? 0 : 1;
}

async function rotate({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const { secret, previousUntil } = await webhooks.rotate(idIn(args, 'webhooks rotate <id>'));
  printSecret(secret, terminal);
  terminal.print(`Messages are signed with the previous secret as well until ${timeOf(previousUntil)}.`);
  return 0;
}

async function deliveries({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { endpoint: { type: 'string' }, state: { type: 'string' }, limit: { type: 'string', default: '50' } } as const;
  const { values } = readArgs({ args: [...args], options }, deliveriesUsage);
  const state = (['waiting', 'sending', 'delivered', 'failed'] as const).find((each) => each === values.state);
  if (values.state !== undefined && !state) throw usageError(`Unknown state: ${values.state}.`, deliveriesUsage);
  if (!/^[1-9]\d{0,3}$/.test(values.limit)) throw usageError('--limit must be a whole number from 1 to 9999.', deliveriesUsage);
  const found = await webhooks.deliveries({ endpointId: values.endpoint, state, most: Number(values.limit) });
  if (found.length === 0) terminal.print('No deliveries.');
  for (const delivery of found) printDelivery(delivery, terminal);
  return 0;
}

function printDelivery(delivery: DeliveryRecord, terminal: Terminal): void {
  const { id, type, state, endpointId, eventId, attempts, answer, dueAt, createdAt } = delivery;
  terminal.print(`${id}  ${state.padEnd(stateWidth)}  ${timeOf(createdAt)}  ${type} to ${endpointId} (${eventId})`);
  const details = [
    `attempts: ${attempts}`,
    ...(answer === null ? [] : [`last answer: ${printable(answer)}`]),
    ...(state === 'waiting' ? [`next attempt: ${timeOf(dueAt)}`] : []),
  ];
  terminal.print(`    ${details.join(', ')}`);
}

async function resend({ webhooks }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const { id, type, endpointId } = await webhooks.resend(idIn(args, 'webhooks resend <delivery id>'));
  terminal.print(`Queued ${type} for ${endpointId} again (${id}). The running shop sends it.`);
  return 0;
}

function idIn(args: readonly string[], usage: string): string {
  const [id, ...rest] = args;
  if (id === undefined || rest.length > 0) throw usageError('Expected one ID.', usage);
  return id;
}

/** ISO 8601 in UTC. */
function timeOf(at: number): string {
  return new Date(at).toISOString();
}
