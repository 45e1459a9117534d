// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as React from 'react';
import type * as ReactDomClient from 'react-dom/client';
import { minify } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import { needsUnusedReact, withoutUnusedReact } from './slim-libraries.ts';

const require = createRequire(import.meta.url);
const file = require.resolve('react-dom').replace(/index\.js$/, 'cjs/react-dom-client.production.js');
const whole = readFileSync(file, 'utf8');
const slim = withoutUnusedReact(whole);

afterEach(() => {
  document.body.innerHTML = '';
  vi.unstubAllEnvs();
});

/** React and its browser part from this code, as production has them. */
function load(code: string): { react: typeof React; client: typeof ReactDomClient } {
  vi.stubEnv('NODE_ENV', 'production');
  const client = {} as typeof ReactDomClient;
  new Function('exports', 'require', code)(client, require);
  return { react: require('react'), client };
}

/** React shows what it waited for 300 ms after the fallback at the earliest. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 400));

/** What a page shows at each step of its life: taken over from the server, changed, suspended, and with a component that fails. */
async function lifeOf(code: string): Promise<string[]> {
  const { react, client } = load(code);
  const { createElement: h, Component, Fragment, Suspense, startTransition, useState } = react;
  class Boundary extends Component<{ children?: React.ReactNode }> {
    override state = { failed: false };
    static getDerivedStateFromError = () => ({ failed: true });
    override render = () => (this.state.failed ? h('p', null, 'failed') : this.props.children);
  }
  let bring = () => {};
  const late = new Promise<{ default: () => React.ReactNode }>((resolve) => {
    bring = () => resolve({ default: () => h('i', null, 'late') });
  });
  const Late = react.lazy(() => late);
  const Failing = () => {
    throw new Error('as asked');
  };
  function Page() {
    const [count, setCount] = useState(0);
    const more = () => startTransition(() => setCount(count + 1));
    return h(
      Fragment,
      null,
      h('button', { type: 'button', onClick: more, key: 'more' }, `pressed ${count}`),
      count > 0 &&
        h(
          'ul',
          { key: 'list' },
          ...Array.from({ length: count }, (_, index) => h('li', { key: index }, index)),
        ),
      count > 1 && h(Suspense, { fallback: h('b', null, 'wait'), key: 'late' }, h(Late)),
      h(Boundary, { key: 'boundary' }, count > 2 ? h(Failing) : h('p', null, 'whole')),
    );
  }
  const box = document.createElement('div');
  box.innerHTML = '<button type="button">pressed 0</button><p>whole</p>';
  document.body.replaceChildren(box);
  const button = box.querySelector('button');
  client.hydrateRoot(box, h(Page), {
    onCaughtError: () => {},
    onRecoverableError: (error) => shown.push(String(error)),
  });
  const shown: string[] = [];
  for (const act of [
    () => {},
    () => button?.click(),
    () => button?.click(),
    () => bring(),
    () => button?.click(),
  ]) {
    act();
    await settled();
    shown.push(box.innerHTML);
  }
  return shown;
}

test('React without its unused parts takes a page over, changes it, waits and catches errors as React does', async () => {
  const shown = await lifeOf(slim);
  expect(shown).toEqual(await lifeOf(whole));
  expect(shown[0]).toContain('pressed 0');
  expect(shown.at(-1)).toContain('failed');
  expect(shown[3]).toContain('<i>late</i>');
});

test('React without its unused parts is smaller by an eighth', async () => {
  const sizeOf = async (code: string) =>
    (await minify('react.js', `((exports, require) => {${code}})(exports, require)`, { module: false })).code
      .length;
  expect(await sizeOf(slim)).toBeLessThan((await sizeOf(whole)) * 0.875);
});

test('a component that is left out of React fails when it is rendered', async () => {
  const { react, client } = load(slim);
  const errors: unknown[] = [];
  const box = document.body.appendChild(document.createElement('div'));
  const root = client.createRoot(box, { onUncaughtError: (error) => errors.push(error) });
  root.render(react.createElement(react.Activity, null, 'text'));
  await settled();
  expect(String(errors[0])).toContain('130');
});

test('a React without a function that is to be left out stops the build', () => {
  expect(() => withoutUnusedReact(whole.replaceAll('commitExitViewTransitions', 'commitLeaving'))).toThrow(
    'React has no commitExitViewTransitions',
  );
});

test.each([
  ['import { Activity as Hidden, useState } from "react";', true],
  ['import React, { ViewTransition } from "react";', true],
  ['const list = React.unstable_SuspenseList;', true],
  ['jsx(Fragment, { ref: group, children: rows })', true],
  ['import { Activity } from "#web/features/activity.tsx";', false],
  ['import { Fragment, useState } from "react";\njsx(Fragment, { children: jsx("p", { ref: box }) })', false],
])('the build notices whether a module needs what is left out: %s', (code, needs) => {
  expect(needsUnusedReact(code)).toBe(needs);
});
