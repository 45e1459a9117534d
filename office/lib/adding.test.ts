import { expect, test } from 'vitest';
import { type Permission, roles } from '#contract/staff/permissions.ts';
import { rooms } from '../rooms/index.ts';
import { mayAdd } from './adding.tsx';

const offered = (may: readonly Permission[], stores: string[] | null) =>
  rooms.flatMap(({ path, adds }) => (adds && mayAdd(adds, { may: [...may], stores }) ? [path] : []));

test('each role is offered to add what it may, and stores only by whoever works in all of them', () => {
  expect(offered(roles.writer, null)).toEqual(['/pages', '/blog']);
  expect(offered(roles.packer, null)).toEqual([]);
  const all = rooms.flatMap(({ path, adds }) => (adds ? [path] : []));
  expect(offered(roles.owner, null)).toEqual(all);
  expect(offered(['settings.stores'], null)).toEqual(['/stores']);
  expect(offered(['settings.stores'], ['queen-west'])).toEqual([]);
});
