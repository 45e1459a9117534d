/** Commands run as the owner of the data folder, and `doctor` names what its owner cannot write. */
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp } from '#tests/test-app.ts';
import { currentUser, dataFolderProblems, otherOwner } from './data-owner.ts';
import { run } from './run.ts';

const isRoot = currentUser() === 0;
const posix = currentUser() !== undefined;
/** A user that exists on every Unix and owns nothing. */
const nobody = 65534;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopwright-owner-'));
  folders.push(made);
  return made;
}

describe.runIf(posix)('the owner of the data folder', () => {
  const ask = (uid: number | undefined, command: string[], variables: string[] = []) =>
    otherOwner(folder(), { uid, command, variables });

  test('the owner may run every command', () => {
    expect(ask(currentUser(), ['doctor'])).toBeNull();
  });

  test('a folder that does not exist has no owner', () => {
    expect(otherOwner(join(folder(), 'none'), { uid: 12345, command: ['fill'], variables: [] })).toBeNull();
  });

  test('another user is told to run the same command as the owner, with the same variables', () => {
    const command = ['settings', 'set', 'shopName', "Mei's cups"];
    expect(ask(12345, command, ['DATA_DIR'])).toMatch(
      / belongs to .+\. Run the command as that user: sudo --preserve-env=DATA_DIR -u \S+ npm run shop -- settings set shopName 'Mei'\\''s cups'$/,
    );
  });

  test.runIf(isRoot)(
    'a command of another user is refused and writes nothing, and as root it needs no sudo',
    async () => {
      const dataDir = folder();
      chownSync(dataDir, nobody, nobody);
      const file = join(folder(), 'shop.json');
      writeFileSync(file, '{}');
      for (const words of ['migrate', `fill ${file}`, 'doctor', 'settings list']) {
        const lines: string[] = [];
        const code = await run(words.split(' '), { DATA_DIR: dataDir }, (line) => lines.push(line));
        expect([code, lines.join('\n')]).toEqual([
          1,
          `The data folder ${dataDir} belongs to nobody. Run the command as that user: runuser -u nobody -- npm run shop -- ${words}`,
        ]);
      }
      expect(readdirSync(dataDir)).toEqual([]);
    },
  );
});

describe.runIf(posix)('doctor', () => {
  test('doctor accepts a data folder that only its owner can read', async () => {
    const testApp = await createTestApp({ engine: 'sqlite' });
    chmodSync(testApp.env.dataDir, 0o700);
    expect((await shopCommand(testApp, ['doctor'])).printed).toContain(
      'OK    Data folder: writable by its owner',
    );
  });

  test('doctor names a data folder that other users can read', () => {
    const dataDir = folder();
    chmodSync(dataDir, 0o755);
    expect(dataFolderProblems(dataDir)).toEqual([`${dataDir} is open to other users: chmod 700 ${dataDir}`]);
  });

  test.runIf(isRoot)(
    'doctor names files that belong to another user, with the command that corrects it',
    () => {
      const dataDir = folder();
      const file = join(dataDir, 'mug.jpg');
      writeFileSync(file, '');
      chownSync(file, nobody, nobody);
      expect(dataFolderProblems(dataDir)).toEqual([
        `${file} belongs to nobody, not to root: chown -R root ${dataDir}`,
      ]);
    },
  );
});
