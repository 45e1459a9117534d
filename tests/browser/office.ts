/** Ways into the office for its tests. */
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const staffPassword = 'seven blue lamps';

/** The path of an invitation to an owner: the command does not know the free port of the test's shop. */
export function invitationFor(email: string): string {
  const link = execFileSync(process.execPath, ['cli/index.ts', 'staff', 'invite', email], {
    env: { ...process.env, DATA_DIR: process.env.SHOP_DATA },
    encoding: 'utf8',
  });
  const { pathname, hash } = new URL(link.trim());
  return pathname + hash;
}

/** Enters a room as one of the demo's people. */
export async function enterAs(
  { page, watch }: { page: Page; watch: { allowStatus(status: number): void } },
  name: string,
  room: string,
): Promise<void> {
  // Nobody is signed in before.
  watch.allowStatus(401);
  await page.goto('/office');
  await page.getByRole('button').filter({ hasText: name }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.goto(`/office/${room}`);
}
