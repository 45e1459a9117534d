/** `webhooks …`: manages the endpoints that receive events, and their deliveries (docs/how-to/webhooks.md). */
import { InvalidArgumentError, Option } from 'commander';
import type { Repeat } from '#contract/endpoint.ts';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import {
  type DeliveryRecord,
  type WebhookEndpoint,
  type WebhookEventType,
  type WebhooksService,
  webhookEventTypes,
} from '#server/modules/webhooks/index.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { type CommandSetup, listOf, printable, type Terminal, wholeNumber, withShop } from '../command.ts';

export const webhooks: CommandSetup = (program, terminal) => {
  const command = program.command('webhooks').description('Manages webhooks and their deliveries.');
  const add = command.command('add <url>').description('Adds an endpoint that receives events.');
  add.requiredOption(
    '--events <types>',
    `all, or some separated by commas: ${webhookEventTypes.join(', ')}`,
    eventTypes,
  );
  add.changes('id', (url: string, { events }: { events: WebhookEventType[] }) =>
    withShop(terminal, async (shop, run) => {
      const { id, url: added, secret } = await run((change) => shop.webhooks.add(change, url, events));
      terminal.print(`Added endpoint ${id}: ${added}.`);
      printSecret(secret, terminal);
      terminal.print(`To send a test message, run: npm run shop -- webhooks test ${id}`);
    }),
  );
  const list = command.command('list').description('Lists the endpoints.');
  list.reads(() => withShop(terminal, (shop) => printEndpoints(shop, terminal)));
  for (const [name, [argument, description, repeat, act]] of Object.entries(actions)) {
    const action = command.command(`${name} <${argument}>`).description(description);
    action.changes(repeat, (id: string) =>
      withShop(terminal, ({ webhooks: service }, run) => act(service, id, { run, terminal })),
    );
  }
  const deliveries = command.command('deliveries').description('Lists the latest deliveries.');
  deliveries.option('--endpoint <id>', 'Those to this endpoint.');
  deliveries.addOption(new Option('--state <state>', 'Those in this state.').choices(deliveryStates));
  deliveries.option('--limit <number>', 'At most this many.', wholeNumber(1, 9999), 50);
  deliveries.reads((query: { endpoint?: string; state?: (typeof deliveryStates)[number]; limit: number }) =>
    withShop(terminal, async (shop) => {
      const { endpoint: endpointId, state, limit: most } = query;
      const found = await shop.webhooks.deliveries({ endpointId, state, most });
      if (found.length === 0) terminal.print('No deliveries.');
      for (const delivery of found) printDelivery(delivery, terminal);
    }),
  );
};

const deliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const;

function eventTypes(text: string): WebhookEventType[] {
  if (text === 'all') return [...webhookEventTypes];
  const types = listOf(text).map((part) => webhookEventTypes.find((each) => each === part));
  const known = types.filter((type) => type !== undefined);
  // An endpoint that hears of nothing would look as if nothing happened.
  if (known.length === 0 || known.length < types.length)
    throw new InvalidArgumentError(`Expected all, or some of ${webhookEventTypes.join(',')}.`);
  return known;
}

const actions: Readonly<
  Record<
    string,
    readonly [
      string,
      string,
      Repeat,
      (service: WebhooksService, id: string, by: { run: RunChange; terminal: Terminal }) => Promise<void>,
    ]
  >
> = {
  remove: [
    'id',
    'Removes an endpoint and its deliveries.',
    'used',
    async (service, id, { run, terminal }) => {
      await run((change) => service.remove(change, id));
      terminal.print(`Removed endpoint ${id} and its deliveries.`);
    },
  ],
  pause: [
    'id',
    'Pauses an endpoint. Events are recorded and wait.',
    'same',
    async (service, id, { run, terminal }) => {
      await run((change) => service.pause(change, id));
      terminal.print(`Paused endpoint ${id}. Events are recorded and wait for up to 30 days.`);
    },
  ],
  resume: [
    'id',
    'Sends what waits, also after 410 Gone.',
    'same',
    async (service, id, { run, terminal }) => {
      const waiting = await run((change) => service.resume(change, id));
      terminal.print(`Resumed endpoint ${id}. Deliveries waiting: ${waiting}.`);
    },
  ],
  test: [
    'id',
    'Sends one message of type webhook.test and shows the answer.',
    'own',
    async (service, id, { terminal }) => {
      const { accepted, answer } = await service.test(id);
      terminal.print(
        accepted ? `OK    The endpoint answered ${answer}.` : `FAIL  Not accepted: ${printable(answer)}`,
      );
      if (!accepted) terminal.exitCode = 1;
    },
  ],
  rotate: [
    'id',
    'Makes a new secret. The previous one also signs for 24 hours.',
    'key',
    async (service, id, { run, terminal }) => {
      const { secret, previousUntil } = await run((change) => service.rotate(change, id));
      printSecret(secret, terminal);
      terminal.print(
        `Messages are signed with the previous secret as well until ${isoTime(previousUntil, terminal.timeZone)}.`,
      );
    },
  ],
  resend: [
    'delivery',
    'Sends a delivery again with the same webhook-id.',
    'same',
    async (service, deliveryId, { run, terminal }) => {
      const { id, type, endpointId } = await run((change) => service.resend(change, deliveryId));
      terminal.print(`Queued ${type} for ${endpointId} again (${id}). The running shop sends it.`);
    },
  ],
};

function printSecret(secret: string, terminal: Terminal): void {
  terminal.print(`Secret (shown only now; enter it in the receiver): ${secret}`);
}

async function printEndpoints({ webhooks }: Services, terminal: Terminal): Promise<void> {
  const endpoints = await webhooks.list();
  if (endpoints.length === 0)
    terminal.print('No endpoints. Run "npm run shop -- webhooks add --help" to see how to add one.');
  for (const endpoint of endpoints) {
    terminal.print(`${endpoint.id}  ${stateOf(endpoint, terminal.timeZone)}  ${endpoint.url}`);
    terminal.print(`    events: ${endpoint.events.join(', ')}`);
    terminal.print(
      `    deliveries of the last 30 days: ${endpoint.delivered} delivered, ${endpoint.waiting} waiting, ${endpoint.failed} failed`,
    );
  }
}

function stateOf({ state, failingSince, previousUntil }: WebhookEndpoint, timeZone: string): string {
  return [
    state === 'gone' ? 'disabled (410 Gone)' : state,
    ...(state === 'active' && failingSince !== null
      ? [`failing since ${isoTime(failingSince, timeZone)}`]
      : []),
    ...(previousUntil !== null && previousUntil > Date.now()
      ? [`previous secret until ${isoTime(previousUntil, timeZone)}`]
      : []),
  ].join(', ');
}

function printDelivery(delivery: DeliveryRecord, terminal: Terminal): void {
  const { id, type, state, endpointId, eventId, attempts, answer, dueAt, createdAt } = delivery;
  terminal.print(
    `${id}  ${state.padEnd('delivered'.length)}  ${isoTime(createdAt, terminal.timeZone)}  ${type} to ${endpointId} (${eventId})`,
  );
  const details = [
    `attempts: ${attempts}`,
    ...(answer === null ? [] : [`last answer: ${printable(answer)}`]),
    ...(state === 'waiting' ? [`next attempt: ${isoTime(dueAt, terminal.timeZone)}`] : []),
  ];
  terminal.print(`    ${details.join(', ')}`);
}
