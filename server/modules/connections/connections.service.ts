/** What owners set in the office to connect the shop with other machines: kept, read by every process, and tried. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import {
  type ConnectionState,
  type ConnectionsAnswer,
  connectionNames,
  connections as table,
} from '#contract/staff/connections.ts';
import { type StaffMessageKey, staffTranslate } from '#contract/staff/messages.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { actorIn, actorText } from '#server/platform/actors.ts';
import {
  type Connected,
  connectedOf,
  type Env,
  type EnvSource,
  type ProviderKeys,
} from '#server/platform/env.ts';
import { type AnyMessageKey, notFound, OperationError, validationError } from '#server/platform/errors.ts';
import { cachedByTopics, topics } from '#server/platform/recorded-reads.ts';
import {
  claimConnectionsKeyId,
  findConnectionsKeyId,
  writeConnectionsKeyId,
} from '#server/platform/secrets/secrets.service.ts';
import {
  allConnectionRows,
  type ConnectionRow,
  deleteConnectionRows,
  putConnectionRow,
} from './connections.repository.ts';
import { misshapenFields, variablesOf } from './variables.ts';
import { createVault, LockedError } from './vault.ts';

/** Reads what owners may set; `problems` receives what is invalid, by variable. */
export type ReadConnected<Keys extends ProviderKeys> = (
  source: EnvSource,
  problems: Record<string, string>,
) => Connected<Keys>;

export interface ConnectionsDeps<Keys extends ProviderKeys = ProviderKeys> {
  db: Database;
  env: Env<Keys>;
  now: () => number;
  readConnected: ReadConnected<Keys>;
}

/** Whoever asks for a test. */
export interface Tester {
  name: string;
  email: string;
  locale: Locale;
}

export interface TestResult {
  works: boolean;
  text: StaffMessageKey;
  values?: Readonly<Record<string, string | number>>;
}

export type ConnectionTest = (by: Tester) => Promise<TestResult>;

interface Reading<Keys extends ProviderKeys> {
  connected: Connected<Keys>;
  rows: ReadonlyMap<string, ConnectionRow>;
  /** Set in the office, in clear, by the ids of fields. */
  values: ReadonlyMap<string, string>;
  /** Ids of fields that cannot be decrypted here. */
  locked: ReadonlySet<string>;
  /** By variable. */
  problems: Readonly<Record<string, string>>;
}

/** What can be wrong with connections as a whole: messages below `doctor.`. */
type ProblemKey = LockedKey | 'connections.broken' | 'connections.openKey';
type LockedKey = 'connections.noKey' | 'connections.otherKey';

const idOf = (name: string, field: string) => `${name}.${field}`;
const fieldsOf = (name: string) => Object.entries(table[name] ?? {});

/** What a connection needs so that the shop uses it. Those of payment providers need their keys. */
const needs: Readonly<Record<string, (connected: Connected) => boolean>> = {
  mail: ({ smtpUrl }) => smtpUrl !== null,
  printers: ({ ticketPrinters }) => ticketPrinters.length > 0,
  // Without tiles of an owner's choice, it has others.
  map: () => true,
  geocoder: ({ geocoderUrl }) => geocoderUrl !== null,
  instagram: ({ instagram }) => instagram !== null,
};
const isOn = (name: string, connected: Connected): boolean =>
  needs[name]?.(connected) ?? (connected.payments[name] ?? null) !== null;

export type ConnectionsService<Keys extends ProviderKeys = ProviderKeys> = ReturnType<
  typeof createConnections<Keys>
>;

export function createConnections<Keys extends ProviderKeys>({
  db,
  env,
  now,
  readConnected,
}: ConnectionsDeps<Keys>) {
  const vault = createVault(env);
  const tests = new Map<string, ConnectionTest>();
  const read = cachedByTopics(db, [topics.connections], () => load(db.read));
  const followers: ((connected: Connected<Keys>) => void)[] = [];
  let followed: Connected<Keys> | null = null;
  const inEnvironment = (variable: string) => Boolean(env.variables[variable]?.trim());

  async function load(reader: Reader): Promise<Reading<Keys>> {
    const rows = new Map((await allConnectionRows(reader)).map((row) => [row.field, row]));
    const values = new Map<string, string>();
    const locked = new Set<string>();
    for (const name of connectionNames)
      for (const [field, { secret }] of fieldsOf(name)) {
        const id = idOf(name, field);
        const row = rows.get(id);
        if (row)
          await (secret ? vault.decrypt(id, row.value) : Promise.resolve(row.value)).then(
            (text) => values.set(id, text),
            (error: unknown) => {
              if (!(error instanceof LockedError)) throw error;
              locked.add(id);
            },
          );
      }
    const problems: Record<string, string> = {};
    // As the environment was read at the start, unless there is more.
    const connected =
      values.size === 0 ? connectedOf(env) : readConnected(withValues(values, locked), problems);
    return { connected, rows, values, locked, problems };
  }

  /** The variables of the environment, and of those it leaves out what was set in the office. */
  function withValues(values: ReadonlyMap<string, string>, locked: ReadonlySet<string>): EnvSource {
    const source: Record<string, string | undefined> = { ...env.variables };
    for (const name of connectionNames) {
      // Without one of its secrets, a connection would be tried with a wrong one.
      if (fieldsOf(name).some(([field]) => locked.has(idOf(name, field)))) continue;
      for (const [variable, text] of Object.entries(variablesOf(name, valuesOf(name, values))))
        if (!inEnvironment(variable)) source[variable] = text;
    }
    return source;
  }

  /** Why secrets of the database cannot be decrypted, or none can be set; null if all is well. */
  async function lockedBecause(
    reader: Reader,
  ): Promise<{ key: LockedKey; values: Record<string, string> } | null> {
    const known = await findConnectionsKeyId(reader);
    const own = await vault.keyId();
    if (known === null || known === own) return null;
    return { key: own === null ? 'connections.noKey' : 'connections.otherKey', values: { file: vault.file } };
  }

  /** Makes the key, unless the database knows one that is elsewhere. Not in a transaction: it writes a file. */
  async function prepare(): Promise<void> {
    if (await lockedBecause(db.read)) return;
    await vault.makeKey();
    const id = await vault.keyId();
    if (id !== null) await claimConnectionsKeyId(db, id);
  }

  const stateOf = (
    reading: Reading<Keys>,
    names: ReadonlyMap<string, string>,
    name: string,
  ): ConnectionState => {
    const { connected, rows, values, locked, problems } = reading;
    const [problem] = fieldsOf(name).flatMap(([, { variable }]) =>
      problems[variable] ? [`${variable} ${problems[variable]}`] : [],
    );
    return {
      name,
      on: isOn(name, connected),
      problem: problem ?? null,
      fields: fieldsOf(name).map(([field, { variable, secret = false, choices = [] }]) => {
        const id = idOf(name, field);
        const row = rows.get(id);
        const person = row && actorIn(row.actor);
        const from = inEnvironment(variable)
          ? 'environment'
          : locked.has(id)
            ? 'locked'
            : row
              ? 'office'
              : 'none';
        const isShown = from === 'office' && !secret;
        return {
          name: field,
          variable,
          secret,
          choices: [...choices],
          from,
          value: isShown ? (values.get(id) ?? null) : null,
          tail: from === 'office' ? (row?.tail ?? null) : null,
          by: from !== 'environment' && person?.kind === 'staff' ? (names.get(person.id) ?? null) : null,
          at: from !== 'environment' ? (row?.at ?? null) : null,
        };
      }),
    };
  };

  return {
    /** What holds now, in every process: what the environment sets, and else what owners set in the office. */
    async current(): Promise<Connected<Keys>> {
      const { connected } = await read();
      if (connected !== followed) for (const follow of followers) follow(connected);
      followed = connected;
      return connected;
    },

    /** Has somebody told of each change, before the first `current` that has it returns. */
    follow: (follower: (connected: Connected<Keys>) => void): void => void followers.push(follower),

    /** As of the call, without secrets. `names` are those of people, by id. */
    async list(names: ReadonlyMap<string, string>, locale: Locale): Promise<ConnectionsAnswer> {
      const [reading, problem] = await Promise.all([read(), lockedBecause(db.read)]);
      return {
        locked: problem && staffTranslate(locale)(`doctor.${problem.key}`, problem.values),
        connections: connectionNames.map((name) => stateOf(reading, names, name)),
      };
    },

    /**
     * Sets fields by their names, or removes those that are null. What is the same already stays as it is.
     * @throws {AppError} for invalid values, with none changed; {OperationError} without the key of the database's secrets
     */
    async save(change: Change, name: string, fields: Readonly<Record<string, string | null>>): Promise<void> {
      const given = Object.entries(fields).map(([field, text]) => [field, text?.trim() || null] as const);
      checkNames(name, given);
      const { trx, actor, note } = change;
      const problem = await lockedBecause(trx);
      if (problem && given.some(([field, text]) => text !== null && table[name]?.[field]?.secret))
        throw new OperationError(`doctor.${problem.key}`, problem.values);
      const { values, locked } = await load(trx);
      const after = new Map(values);
      for (const [field, text] of given)
        text === null ? after.delete(idOf(name, field)) : after.set(idOf(name, field), text);
      checkValues(name, after);
      const changed = given.filter(
        ([field, text]) => (values.get(idOf(name, field)) ?? null) !== text || locked.has(idOf(name, field)),
      );
      for (const [field, text] of changed) {
        const id = idOf(name, field);
        const { secret, tail } = table[name]?.[field] ?? {};
        if (text === null) {
          await deleteConnectionRows(trx, [id]);
          continue;
        }
        const value = secret ? await vault.encrypt(id, text) : text;
        await putConnectionRow(trx, {
          field: id,
          value,
          tail: tail ? text.slice(-4) : null,
          actor: actorText(actor),
          at: now(),
        });
      }
      note(
        'connection',
        name,
        changed.map(([field]) => ({ field })),
      );
      if (changed.length > 0) await recordCatalogueChange(trx, [topics.connections]);
    },

    /** Removes what cannot be decrypted, and lets this machine's key encrypt from then on. After `makeKey`. */
    async forgetLocked({ trx, note }: Change): Promise<void> {
      const { locked } = await load(trx);
      await deleteConnectionRows(trx, [...locked]);
      const id = await vault.keyId();
      if (id !== null) await writeConnectionsKeyId(trx, id);
      note(
        'connection',
        '',
        [...locked].map((field) => ({ field })),
      );
      await recordCatalogueChange(trx, [topics.connections]);
    },

    /** A module says how its connection is tried. */
    registerTest: (name: string, test: ConnectionTest): void => void tests.set(name, test),

    test(name: string, by: Tester): Promise<TestResult> {
      const test = tests.get(name);
      if (!test) throw notFound();
      return test(by);
    },

    prepare,
    makeKey: () => vault.makeKey(),

    /** What `doctor` says: keys below `doctor.`, without secrets. */
    async problems(): Promise<{ key: ProblemKey; values: Record<string, string> }[]> {
      const [locked, { problems }, isOpen] = await Promise.all([
        lockedBecause(db.read),
        read(),
        vault.isOpenToOthers(),
      ]);
      const broken = Object.entries(problems).map(([variable, expected]) => `${variable} ${expected}`);
      return [
        ...(locked ? [locked] : []),
        ...broken.map((problem) => ({ key: 'connections.broken' as const, values: { problem } })),
        ...(isOpen ? [{ key: 'connections.openKey' as const, values: { file: vault.file } }] : []),
      ];
    },
  };

  function checkNames(name: string, given: readonly (readonly [string, string | null])[]): void {
    const wrong = given.flatMap(([field, text]): WrongField[] => {
      const facts = Object.hasOwn(table[name] ?? {}, field) ? table[name]?.[field] : undefined;
      if (!facts) return [[field, 'error.fields']];
      const { variable } = facts;
      if (inEnvironment(variable))
        return [[field, { key: 'office.connections.inEnvironment', values: { variable } }]];
      return facts.choices && text !== null && !facts.choices.includes(text)
        ? [[field, 'office.connections.misshapen']]
        : [];
    });
    if (wrong.length > 0) throw validationError(named(wrong));
  }

  /** What the environment's own reader says of them, at their fields. */
  function checkValues(name: string, after: ReadonlyMap<string, string>): void {
    const values = valuesOf(name, after);
    const misshapen = misshapenFields(name, values);
    const problems: Record<string, string> = {};
    if (misshapen.length === 0) readConnected(withValues(after, new Set()), problems);
    const wrong = fieldsOf(name).flatMap(([field, { variable }]): WrongField[] => {
      if (misshapen.includes(field)) return [[field, 'office.connections.misshapen']];
      if (!problems[variable]) return [];
      return [
        [field, values[field] === undefined ? 'office.connections.missing' : 'office.connections.misshapen'],
      ];
    });
    if (wrong.length > 0) throw validationError(named(wrong));
  }
}

type WrongField = [field: string, error: FieldErrors<AnyMessageKey>[string]];

const named = (wrong: readonly WrongField[]): FieldErrors<AnyMessageKey> =>
  Object.fromEntries(wrong.map(([field, key]) => [`fields.${field}`, key]));

function valuesOf(name: string, values: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(name).flatMap(([field]) => {
      const value = values.get(idOf(name, field));
      return value === undefined ? [] : [[field, value]];
    }),
  );
}
