/**
 * Firefox and WebKit from Debian's packages, driven by the commands of WebDriver (W3C). Firefox takes them on a socket of its own
 * (Marionette, which geckodriver speaks as well), WebKit over HTTP from WebKitWebDriver, on a screen that nobody sees (Xvfb).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { freePort } from '../../free-port.ts';

/** How long a page may take to show something, and how often it is asked, ms. */
const waiting = { timeout: 20_000, interval: 50 };

/** How WebDriver names an element in its JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Each command: its method and path over HTTP, and its name in Firefox. `:element` stands for an element's id. */
const commands = {
  navigate: ['POST /url', 'WebDriver:Navigate'],
  script: ['POST /execute/sync', 'WebDriver:ExecuteScript'],
  click: ['POST /element/:element/click', 'WebDriver:ElementClick'],
  clear: ['POST /element/:element/clear', 'WebDriver:ElementClear'],
  type: ['POST /element/:element/value', 'WebDriver:ElementSendKeys'],
  size: ['POST /window/rect', 'WebDriver:SetWindowRect'],
  screenshot: ['GET /screenshot', 'WebDriver:TakeScreenshot'],
} as const;

type Command = keyof typeof commands;
type Send = (command: Command, body?: object, element?: string) => Promise<unknown>;

interface Driver {
  send: Send;
  end(): Promise<void>;
}

/** The element of a page, by its id. */
type Found = Record<typeof elementKey, string>;

/** The kinds of browsers that this machine has. */
export const engines: Readonly<Record<EngineName, { isHere: boolean; start: () => Promise<Driver> }>> = {
  Firefox: { isHere: firefox() !== undefined, start: startFirefox },
  WebKit: {
    isHere: miniBrowser() !== undefined && has('WebKitWebDriver') && has('Xvfb'),
    start: startWebKit,
  },
};

export type EngineName = 'Firefox' | 'WebKit';

/** A person at a browser: finds what they see by its words, presses it and types into it. */
export class Visitor {
  readonly #driver: Driver;

  private constructor(driver: Driver) {
    this.#driver = driver;
  }

  static async with(engine: EngineName): Promise<Visitor> {
    const driver = await engines[engine].start();
    await driver.send('size', { width: 1280, height: 960 });
    return new Visitor(driver);
  }

  end(): Promise<void> {
    return this.#driver.end();
  }

  async open(url: string): Promise<void> {
    await this.#driver.send('navigate', { url });
  }

  /** Runs the body of a function in the page. */
  run<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.#driver.send('script', { script, args }) as Promise<T>;
  }

  /** Waits until the page's visible text has these words. */
  async see(words: string | RegExp): Promise<void> {
    const pattern = typeof words === 'string' ? new RegExp(literal(words)) : words;
    await this.#until(`to see ${pattern}`, async () =>
      pattern.test(await this.run<string>('return document.body.innerText')),
    );
  }

  /** Presses a button, link, tab or choice by its whole name; of several, the first that is in front. */
  async press(name: string | RegExp): Promise<void> {
    const pattern = typeof name === 'string' ? `^${literal(name)}$` : name.source;
    await this.#use(`to press ${pattern}`, findPressed, pattern, (id) =>
      this.#driver.send('click', { id }, id),
    );
  }

  /** Chooses one of several ways by the beginning of its name. */
  async choose(name: string): Promise<void> {
    await this.#use(`to choose ${name}`, findChoice, name, (id) => this.#driver.send('click', { id }, id));
  }

  /** Types into the field with this label, in place of what it has. A label may say more, such as that the field is optional. */
  async fill(label: string, text: string): Promise<void> {
    await this.#fillFound(`for a field ${label}`, findField, label, text);
  }

  /** The same with a field's own name. */
  async fillNamed(name: string, text: string): Promise<void> {
    await this.#fillFound(`for a field named ${name}`, findNamed, name, text);
  }

  /** Gives a file to the page's field for files, which nobody sees. */
  async upload(path: string): Promise<void> {
    const find = `return document.querySelector('input[type="file"]')`;
    await this.#use('for a field for files', find, '', (id) =>
      this.#driver.send('type', { id, text: path }, id),
    );
  }

  /** A picture of what is on the screen, PNG. */
  async picture(): Promise<Buffer> {
    const answer = (await this.#driver.send('screenshot', { full: false })) as string | { value: string };
    return Buffer.from(typeof answer === 'string' ? answer : answer.value, 'base64');
  }

  #fillFound(what: string, script: string, wanted: string, text: string): Promise<void> {
    return this.#use(what, script, wanted, async (id) => {
      await this.#driver.send('clear', { id }, id);
      await this.#driver.send('type', { id, text }, id);
    });
  }

  /** Does something with what a script finds, once it stays where it is. What fails because a page changes meanwhile is tried again. */
  #use(
    what: string,
    script: string,
    wanted: string,
    act: (element: string) => Promise<unknown>,
  ): Promise<void> {
    let last = '';
    return this.#until(what, async () => {
      const found = await this.run<Found | null>(script, wanted);
      const id = found?.[elementKey];
      const place =
        found &&
        JSON.stringify([id, await this.run('return arguments[0].getBoundingClientRect().toJSON()', found)]);
      const isStill = id !== undefined && place === last;
      last = place ?? '';
      if (isStill) await act(id);
      return isStill;
    });
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    // Between two pages there is none to ask.
    const isNow = () => isSo().catch(() => false);
    await vi
      .waitFor(async () => expect(await isNow()).toBe(true), waiting)
      .catch(async () => {
        throw new Error(`Waited ${what} on ${await this.#where()}`);
      });
  }

  #where(): Promise<string> {
    return this.run<string>("return location.href + ':\\n' + document.body.innerText.slice(0, 2000)");
  }
}

/** What may be pressed has taken the server's page over (React), is not disabled, and shows. */
const canBePressed = `
  const shows = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden';
  const isTaken = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps')) || element.closest('.rich');
  const ready = (element) => shows(element) && isTaken(element) && !element.matches(':disabled, [aria-disabled="true"]');
  const inFront = (all) => {
    const dialog = [...document.querySelectorAll('dialog[open], [role="dialog"]')].at(-1);
    return all.find((each) => dialog?.contains(each)) ?? all[0] ?? null;
  };
  const inSight = (element) => {
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    return element ?? null;
  };
  const words = (text) => text.replace(/\\s+/g, ' ').trim();`;

const findPressed = `${canBePressed}
  const wanted = new RegExp(arguments[0]);
  const nameOf = (element) => words(element.getAttribute('aria-label') ?? (element.innerText || element.textContent));
  const all = [...document.querySelectorAll('button, a[href], summary')];
  return inSight(inFront(all.filter((each) => ready(each) && wanted.test(nameOf(each)))));`;

/** A label lies over its choice, and is what a person presses. */
const findChoice = `${canBePressed}
  const labels = [...document.querySelectorAll('input[type="radio"]')].map(({ labels: [label] }) => label);
  return inSight(inFront(labels.filter((label) => label && shows(label) && words(label.innerText).startsWith(arguments[0]))));`;

const findField = `${canBePressed}
  const fields = [...document.querySelectorAll('input, textarea, select')].filter(ready);
  const nameOf = (field) => words(field.getAttribute('aria-label') ?? [...(field.labels ?? [])].map(({ innerText }) => innerText).join(' '));
  const exact = fields.filter((field) => nameOf(field) === arguments[0]);
  return inSight(inFront(exact.length > 0 ? exact : fields.filter((field) => nameOf(field).startsWith(arguments[0]))));`;

const findNamed = `${canBePressed}
  return inSight(inFront([...document.getElementsByName(arguments[0])].filter(ready)));`;

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function has(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

function firefox(): string | undefined {
  return ['firefox-esr', 'firefox'].find(has);
}

function miniBrowser(): string | undefined {
  return globSync('/usr/{lib,libexec}/**/webkit2gtk-4.*/MiniBrowser')[0];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function startFirefox(): Promise<Driver> {
  const profile = await mkdtemp(join(tmpdir(), 'shopwright-firefox-'));
  const preferences = {
    'marionette.port': 0,
    'intl.accept_languages': 'en-CA, en',
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.normandy.enabled': false,
    'browser.aboutwelcome.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(firefox() ?? '', ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    // As root, with a home of its own.
    env: { ...process.env, HOME: profile },
    stdio: 'ignore',
  });
  const port = Number(
    await vi.waitFor(() => readFile(join(profile, 'MarionetteActivePort'), 'utf8'), waiting),
  );
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const call = marionette(socket);
  await call('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  return {
    send: async (command, body = {}) => {
      const answer = await call(commands[command][1], body);
      return command === 'script' ? (answer as { value: unknown }).value : answer;
    },
    async end() {
      socket.destroy();
      await stop(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Calls by Marionette: each message is its length, a colon and `[0, id, command, parameters]`, answered by `[1, id, error, result]`. */
function marionette(socket: Socket): (command: string, body: object) => Promise<unknown> {
  const waiting = new Map<
    number,
    (error: { error: string; message: string } | null, result: unknown) => void
  >();
  let rest: Buffer = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let colon = rest.indexOf(':'); colon > 0; colon = rest.indexOf(':')) {
      const end = colon + 1 + Number(rest.subarray(0, colon));
      if (rest.length < end) return;
      const message: unknown = JSON.parse(rest.subarray(colon + 1, end).toString());
      rest = rest.subarray(end);
      // The first message greets.
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
    }
  });
  return (command, body) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, (error, result) =>
        error ? reject(new Error(`${error.error}: ${error.message}`)) : resolve(result),
      );
      const message = Buffer.from(JSON.stringify([0, last, command, body]));
      socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    });
}

async function startWebKit(): Promise<Driver> {
  const folder = await mkdtemp(join(tmpdir(), 'shopwright-webkit-'));
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(screen.stdio[3] as Socket, 'data')) as [Buffer];
  const port = await freePort();
  const child = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      HOME: folder,
      LANG: 'en_CA.UTF-8',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
    stdio: 'ignore',
  });
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST'
        ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : {}),
    });
    const { value } = (await response.json()) as { value: { message?: string } };
    if (!response.ok) throw new Error(value.message ?? `${method} ${path} answered ${response.status}`);
    return value;
  };
  const options = { binary: miniBrowser(), args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const started = await vi.waitFor(() => call('POST', '/session', { capabilities }), waiting);
  const { sessionId } = started as { sessionId: string };
  return {
    send(command, body = {}, element = '') {
      const [method = '', path = ''] = commands[command][0].split(' ');
      return call(method, `/session/${sessionId}${path.replace(':element', element)}`, body);
    },
    async end() {
      await call('DELETE', `/session/${sessionId}`, {}).catch(() => undefined);
      await stop(child);
      await stop(screen);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
