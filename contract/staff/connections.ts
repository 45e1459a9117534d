/** What connects the shop with other machines, and the calls of the room Connections. One table, from which room, reading and tests follow. */
import Type, { type Static } from 'typebox';
import * as providerContracts from '#payment-providers/contract-registry.ts';
import type { ProviderContract } from '#payment-providers/provider-contract.ts';
import { type ConnectionFields, longestConnectionValue } from '../connection-fields.ts';
import { described, EpochMs, Flag, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

const contracts: Readonly<Record<string, ProviderContract>> = providerContracts;

/** By the keys of the payment providers that have some, in the order in which the shop offers them. */
const ofProviders = Object.entries(contracts)
  .toSorted(([, one], [, other]) => one.rank - other.rank)
  .flatMap(([key, { connection }]) => (connection ? [[key, connection] as const] : []));

/** By their names, in the order of the room. */
export const connections: Readonly<Record<string, ConnectionFields>> = {
  mail: {
    host: { variable: 'SMTP_URL' },
    security: { variable: 'SMTP_URL', choices: ['starttls', 'tls'] },
    port: { variable: 'SMTP_URL' },
    user: { variable: 'SMTP_URL' },
    password: { variable: 'SMTP_URL', secret: true },
  },
  ...Object.fromEntries(ofProviders),
  printers: {
    list: { variable: 'TICKET_PRINTERS' },
  },
  map: {
    tilesUrl: { variable: 'MAP_TILES_URL' },
    attribution: { variable: 'MAP_ATTRIBUTION' },
  },
  geocoder: {
    url: { variable: 'GEOCODER_URL' },
  },
  instagram: {
    token: { variable: 'INSTAGRAM_TOKEN', secret: true },
  },
};
export const connectionNames: readonly string[] = Object.keys(connections);

const FieldState = Type.Object({
  name: described('Such as `host`.', Type.String()),
  variable: described('Of the environment, which takes precedence.', Type.String()),
  secret: described('Kept encrypted, and never answered.', Flag),
  choices: described('What it may be; empty for any text.', Type.Array(Type.String())),
  from: described(
    'Who set it: the environment, which wins, or somebody in the office. `locked`: it is there, and cannot be decrypted.',
    Type.Enum(['environment', 'office', 'locked', 'none']),
  ),
  value: described('Of what was set in the office and is no secret.', Nullable(Type.String())),
  tail: described('The last four characters, where its provider shows them.', Nullable(Type.String())),
  by: described('Who set it, by name.', Nullable(Type.String())),
  at: Nullable(EpochMs),
});
export type FieldState = Static<typeof FieldState>;

const ConnectionState = Type.Object({
  name: described('Such as `mail`.', Type.String()),
  on: described('Whether the shop uses it.', Flag),
  problem: described('Why it cannot be used though something is set.', Nullable(Type.String())),
  fields: Type.Array(FieldState),
});
export type ConnectionState = Static<typeof ConnectionState>;

export const ConnectionsAnswer = Type.Object({
  locked: described(
    'What is missing, if secrets of the database cannot be decrypted here.',
    Nullable(Type.String()),
  ),
  connections: Type.Array(ConnectionState),
});
export type ConnectionsAnswer = Static<typeof ConnectionsAnswer>;

const manages = { needs: 'connections.manage', fresh: true } as const;
const named = Strict({ name: Type.Enum([...connectionNames]) });

export const connectionEndpoints = {
  connections: {
    route: 'GET connections',
    summary:
      'What connects the shop with other machines: which fields are set, by whom and when. Never a secret.',
    needs: 'connections.manage',
    response: ConnectionsAnswer,
  },
  saveConnection: {
    route: 'POST connections/:name',
    repeat: 'same',
    summary:
      'Sets fields of a connection. All processes of the shop use them at once. What the environment sets stays.',
    ...manages,
    params: named,
    body: Strict({
      fields: described(
        'By name; null removes one. Those left out stay.',
        Type.Record(
          Type.String({ maxLength: 40 }),
          Nullable(Type.String({ maxLength: longestConnectionValue })),
        ),
      ),
    }),
    response: ConnectionsAnswer,
  },
  testConnection: {
    route: 'POST connections/:name/test',
    repeat: 'own',
    summary:
      'Tries a connection as it is saved, such as by an email to whoever asks, and says in words what came of it.',
    ...manages,
    params: named,
    response: Type.Object({ works: Flag, text: Type.String() }),
  },
  forgetLocked: {
    route: 'POST connections-locked',
    repeat: 'same',
    summary: 'Removes secrets that cannot be decrypted, so that they can be entered again.',
    ...manages,
    response: ConnectionsAnswer,
  },
} as const satisfies Record<string, StaffEndpoint>;
