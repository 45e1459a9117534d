/** Reads the commands from a page of the documents, and makes the repository that they clone. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** The pages that `npm run try-install` follows, one after the other: install, set up, operate. */
export const installPages = ['run-a-shop', 'shop-settings', 'operate-a-shop'].map(
  (name) => `docs/how-to/${name}.md`,
);

export interface ShellBlock {
  /** The line where the block begins, from 1. */
  line: number;
  commands: string;
}

/**
 * Every `sh` block of a page, in order. `<this repository>` becomes the folder of the snapshot. A block after
 * `<!-- try-install: skip, <reason> -->` is not run.
 */
export function shellBlocks(page: string): {
  run: ShellBlock[];
  skipped: { line: number; reason: string }[];
} {
  const run: ShellBlock[] = [];
  const skipped: { line: number; reason: string }[] = [];
  for (const { 0: whole, 1: reason, 2: text = '', index } of page.matchAll(
    /(?:^<!-- try-install: skip, (.+) -->\n)?^```sh\n([\s\S]*?)^```$/gm,
  )) {
    const line = page.slice(0, index + whole.indexOf('```sh')).split('\n').length;
    if (reason) skipped.push({ line, reason });
    else run.push({ line, commands: text.replaceAll('<this repository>', '/mnt/repository') });
  }
  return { run, skipped };
}

/** The files of this folder as a repository of one commit and its release's tag, uncommitted ones included. */
export function snapshot(target: string): void {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1e8 });
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter(Boolean);
  for (const file of files) {
    mkdirSync(join(target, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(target, file), { force: true });
  }
  git(target, 'init', '--quiet', '--initial-branch=main');
  git(target, 'add', '--all');
  git(
    target,
    '-c',
    'user.name=Try',
    '-c',
    'user.email=try@shop.example',
    'commit',
    '--quiet',
    '--message=Snapshot',
  );
  git(target, 'tag', `v${packageJson.version}`);
}
