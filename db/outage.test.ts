import { expect, test } from 'vitest';
import { postgresQueries } from './engines/postgres.ts';
import { sqliteQueries } from './engines/sqlite.ts';
import { Outage } from './outage.ts';

function errorWith(fields: object, message = 'no'): Error {
  return Object.assign(new Error(message), fields);
}

test('an outage is reported once for each cause, and once more when it is over', () => {
  const said: (string | null)[] = [];
  const outage = new Outage(sqliteQueries.outageCause);
  outage.onChange = (cause) => said.push(cause);
  const full = errorWith({ errcode: 13 });
  expect([outage.note(full), outage.note(full), outage.note(new Error('other'))]).toEqual([
    'the disk is full',
    'the disk is full',
    null,
  ]);
  expect(outage.note(new AggregateError([full, errorWith({ errcode: 778 })]))).toBe('the disk is full');
  expect(outage.note(new AggregateError([full, new Error('other')]))).toBeNull();
  outage.end();
  outage.end();
  expect(said).toEqual(['the disk is full', null]);
  expect(outage.cause).toBeNull();
});

test.each([
  [{ errcode: 13 }, 'the disk is full'],
  [{ errcode: 8 }, 'the database file cannot be written'],
  [{ errcode: 778 }, 'the disk cannot be read or written'],
  [{ errcode: 11 }, 'the database file is damaged'],
  [{ errcode: 2067 }, null],
])('the outage cause of the SQLite error %o is: %s', (fields, cause) => {
  expect(sqliteQueries.outageCause(errorWith(fields))).toBe(cause);
});

test.each([
  [{ code: 'ECONNREFUSED' }, 'PostgreSQL cannot be reached'],
  [{ code: '53300' }, 'PostgreSQL is out of connections'],
  [{ code: '53100' }, 'the disk of PostgreSQL is full'],
  [{ code: '57P03' }, 'PostgreSQL is stopping or starting'],
  [{ code: '25006' }, 'PostgreSQL is read-only'],
  [{ code: '23505' }, null],
])('the outage cause of the PostgreSQL error %o is: %s', (fields, cause) => {
  expect(postgresQueries.outageCause(errorWith(fields))).toBe(cause);
});

test('a connection that breaks without a code is an outage', () => {
  expect(postgresQueries.outageCause(new Error('Connection terminated unexpectedly'))).toBe(
    'PostgreSQL cannot be reached',
  );
});
