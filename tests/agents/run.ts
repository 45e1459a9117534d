/**
 * `npm run test:agents -- --ucp <folder> --schemas <clone> --food <folder>`: lets suites that others wrote judge the demo shop.
 * `--ucp` is a checkout of vishkaty/ucp-conformance, `--schemas` a clone of Universal-Commerce-Protocol/ucp, `--food` its
 * `source/schemas/food` at the commit of the draft; what is left out is skipped. `--only` names one of the parts, `--data` the data
 * of a demo shop that is used instead of a new one. Everything runs
 * on the loopback address and ends with the run; what a suite did not test is listed with its reason. Exits with 1 if a suite finds
 * anything.
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { run } from '#cli/run.ts';
import { agentProfile, olderVersion } from '../agents.ts';
import { cert, key } from '../certificate.ts';
import { startShop } from '../processes.ts';
import {
  conformanceConfig,
  mcpReason,
  notTestedReason,
  type ShopifyResult,
  shopifyOrders,
  shopifyPayment,
  signedProfile,
} from './conformance.ts';
import { measure } from './figures.ts';
import { proveCompletes } from './proof.ts';
import { judgeAnswers, type Recorded, readSchemas } from './schemas.ts';

const exec = promisify(execFile);
const shopifyProfile = 'https://shopify.dev/ucp/agent-profiles/2026-04-08/valid-with-capabilities.json';
const proofProfile = 'https://proof.example/agent';
const root = join(import.meta.dirname, '../..');
const text = { type: 'string' } as const;
const {
  values: { ucp, schemas, food, only, data },
} = parseArgs({ options: { ucp: text, schemas: text, food: text, only: text, data: text } });

let isOlder = false;
const folder = mkdtempSync(join(tmpdir(), 'shopwright-agents-'));
// Addresses have to be https: a proxy with a certificate that only the suite accepts stands before the shop.
const proxy = createSecureServer({ cert, key, minVersion: 'TLSv1.3' }, (request, response) => {
  const { method, url: asked, headers } = request;
  // The suite knows the older version, whose profile the current one names.
  const path = asked === '/.well-known/ucp' && isOlder ? `${asked}/${olderVersion}` : asked;
  const forwarded = httpRequest(new URL(path ?? '/', shop.url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  request.pipe(forwarded).on('error', () => response.destroy());
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const url = `https://localhost:${(proxy.address() as AddressInfo).port}`;
const env = {
  DATA_DIR: data ?? join(folder, 'data'),
  DEMO: '1',
  WEBHOOKS_ALLOW_PRIVATE: '1',
  PUBLIC_URL: url,
};
let shop = await startShop(env);
const profiles = createServer((request, response) => {
  const body = signedProfile.pages[request.url ?? ''];
  response.writeHead(body === undefined ? 500 : 200, { 'content-type': 'application/json' }).end(body);
});
await new Promise<void>((resolve) => profiles.listen(0, '127.0.0.1', resolve));
const profilesUrl = `http://127.0.0.1:${(profiles.address() as AddressInfo).port}`;

let problems = 0;
try {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'judge-1' };
  await approve('https://spck.dev/agent', signedProfile.of([]));
  await approve(shopifyProfile, signedProfile.of([]));
  const keys = [{ kid: jwk.kid, kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y }];
  await approve('https://signed.example/agent', signedProfile.of(keys));
  await approve(proofProfile, agentProfile());
  const parts: Readonly<Record<string, () => Promise<number>>> = {
    conformance: () => judgeConformance(jwk),
    shopify: judgeShopify,
    mcp: judgeMcp,
    figures: () => measure(shop.url, proofProfile),
    completes: async () => {
      const proved = await proveCompletes(shop, env, proofProfile);
      shop = proved.shop;
      return proved.failed;
    },
    schemas: judgeSchemas,
  };
  for (const [name, judge] of Object.entries(parts))
    if (only === undefined || only === name) problems += await judge();
} finally {
  profiles.close();
  proxy.close();
  proxy.closeAllConnections();
  await shop.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = problems > 0 ? 1 : 0;

/** In this process, because each command loads the whole program. */
async function approve(profile: string, document: string): Promise<void> {
  const file = join(folder, 'profile.json');
  writeFileSync(file, document);
  const said: string[] = [];
  if ((await run(['agents', 'approve', profile, file], env, (line) => said.push(line))) !== 0)
    throw new Error(said.join('\n'));
}

/** Runs our own tests of agents, and judges each answer that they got, and the profiles. */
async function judgeSchemas(): Promise<number> {
  if (!schemas) {
    console.log('schemas: skipped, --schemas names no clone of Universal-Commerce-Protocol/ucp');
    return 0;
  }
  const file = join(folder, 'answers');
  const tests = ['run', '--project', 'server', 'server/modules/agents'];
  const options = { cwd: root, env: { ...process.env, UCP_ANSWERS: file }, maxBuffer: 64 * 1024 * 1024 };
  await exec(process.execPath, ['node_modules/vitest/vitest.mjs', ...tests], options);
  const answers = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  for (const name of ['', `/${olderVersion}`, '/draft']) {
    const body = (await (await fetch(`${shop.url}/.well-known/ucp${name}`)).json()) as Recorded['body'];
    answers.push({ asked: 'profile', status: 200, body });
  }
  const sets = await readSchemas(schemas, food, folder);
  const { judged, problems: found } = judgeAnswers(sets, answers);
  for (const [source, count] of judged) console.log(`schemas: ${count} answers judged by ${source}`);
  for (const [problem, count] of found) console.log(`BROKEN schemas: ${problem} (${count} ×)`);
  return found.size;
}

interface McpCheck {
  id: string;
  status: string;
  errorMessage?: string;
}

interface Check {
  id: string;
  status: string;
  kill_safe: boolean | null;
  observed?: { status: number; body: string };
  requirements: { id: string; requirement: string; source: string }[];
}

/** Installs a client into the run's own folder. Null if npm cannot. */
async function installed(name: string, command: string): Promise<string | null> {
  const into = join(folder, command);
  const npm = exec('npm', ['install', name, '--no-audit', '--no-fund', '--prefix', into], { cwd: folder });
  const isInstalled = await npm.then(
    () => true,
    () => false,
  );
  if (!isInstalled) console.log(`${name}: skipped, npm cannot install it here`);
  return isInstalled ? join(into, 'node_modules/.bin', command) : null;
}

/** Shopify's client goes from discovery to a paid order, and to one that is picked up. */
async function judgeShopify(): Promise<number> {
  const name = '@shopify/ucp-cli@0.9.0';
  const bin = await installed(name, 'ucp');
  if (!bin) return 0;
  const variables = {
    UCP_TEST_ALLOW_INSECURE_LOCALHOST: 'true',
    UCP_AGENT_PROFILE_URL: shopifyProfile,
    HOME: folder,
  };
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const ask = async (...words: string[]) => {
    // By the shop's own address: its certificate is known to nobody.
    const args = [...words, '--business', url, '--format', 'json'];
    const options = {
      env: { ...variables, PATH: path, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      maxBuffer: 64 * 1024 * 1024,
    };
    return JSON.parse((await exec(bin, args, options)).stdout) as { result: ShopifyResult };
  };
  try {
    const found = await ask('catalog', 'search', '--set', '/query=mug');
    if (!found.result.products?.length) throw new Error('a search finds nothing');
    for (const order of shopifyOrders) {
      let { result } = await ask('checkout', 'create', '--input', JSON.stringify(order({})));
      const [method] = result.fulfillment?.methods ?? [];
      if (method?.type === 'pickup') {
        const [store] = method.destinations;
        const chosen = await ask(
          'checkout',
          'create',
          '--input',
          JSON.stringify(order({ store: store?.id })),
        );
        const slot = chosen.result.fulfillment?.methods[0]?.groups[0]?.options[0]?.id;
        ({ result } = await ask(
          'checkout',
          'create',
          '--input',
          JSON.stringify(order({ store: store?.id, slot })),
        ));
      }
      const done = await ask('checkout', 'complete', result.id, '--input', JSON.stringify(shopifyPayment));
      if (done.result.status !== 'completed') throw new Error(`the checkout is ${done.result.status}`);
      console.log(`${name}: ${method?.type} ordered as ${done.result.order?.label}`);
    }
    return 0;
  } catch (error) {
    console.log(`BROKEN ${name}: ${error instanceof Error ? error.message.slice(0, 600) : error}`);
    return 1;
  }
}

/** Most scenarios call tools, prompts and resources of the suite's own example server, which the shop does not have. */
async function judgeMcp(): Promise<number> {
  const name = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
  const bin = await installed(name, 'conformance');
  if (!bin) return 0;
  const results = join(folder, 'mcp');
  const args = ['server', '--url', `${shop.url}/api/ucp/mcp`, '--requirements', '2026-07-28', '-o', results];
  const options = {
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
    maxBuffer: 64 * 1024 * 1024,
  };
  // It fails by what does not apply to the shop, too.
  await exec(bin, args, options).catch(() => undefined);
  const counts = { passed: 0, broken: 0 };
  const left = new Map<string, number>();
  for (const file of readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('checks.json'),
  )) {
    const checks = JSON.parse(readFileSync(join(results, file), 'utf8')) as McpCheck[];
    for (const { id, status, errorMessage = '' } of checks) {
      const reason = status === 'FAILURE' ? mcpReason(file, id, errorMessage) : null;
      if (status === 'SUCCESS') counts.passed += 1;
      else if (reason) left.set(reason, (left.get(reason) ?? 0) + 1);
      else if (status === 'FAILURE') {
        counts.broken += 1;
        console.log(`BROKEN ${name}: ${file} ${id}: ${errorMessage}`);
      }
    }
  }
  console.log(`${name}: ${counts.passed} passed, ${counts.broken} broken`);
  for (const [reason, count] of left) console.log(`not tested: ${count} checks: ${reason}`);
  return counts.broken;
}

/** A search that fills more than a page and no more than two: pages have ten products. */
async function twoPages(): Promise<{ query: string; total: number }> {
  for (const query of ['cup', 'mug', 'porcelain', 'glaze', 'teapot', 'green', 'pot', 'white']) {
    const response = await fetch(`${shop.url}/api/ucp/catalog/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'ucp-agent': 'profile="https://spck.dev/agent"' },
      body: JSON.stringify({ query }),
    });
    const { pagination } = (await response.json()) as { pagination: { total_count: number } };
    if (pagination.total_count > 10 && pagination.total_count <= 20)
      return { query, total: pagination.total_count };
  }
  throw new Error('No search of the demo finds 11 to 20 products');
}

async function judgeConformance(jwk: object): Promise<number> {
  const suite = ucp && join(ucp, 'conformance/checks/merchant.py');
  if (!suite || !existsSync(suite)) {
    console.log('ucp-conformance: skipped, --ucp names no checkout of vishkaty/ucp-conformance');
    return 0;
  }
  const config = join(folder, 'merchant.json');
  writeFileSync(config, JSON.stringify(conformanceConfig(profilesUrl, jwk, await twoPages())));
  const args = [suite, '--server', url, '--insecure', '--config', config, '--json'];
  isOlder = true;
  const { stdout } = await exec('python3', args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout?: string }) => {
      if (!error.stdout) throw error;
      return { stdout: error.stdout };
    },
  );
  isOlder = false;
  const { checks, verdict } = JSON.parse(stdout) as { checks: Check[]; verdict: object };
  const of = (status: string) => checks.filter((check) => check.status.startsWith(status));
  const [passed, broken] = [of('clean-pass'), of('deviation')];
  console.log(`ucp-conformance: ${passed.length} passed, ${broken.length} broken ${JSON.stringify(verdict)}`);
  for (const { id, observed, requirements } of broken) {
    console.log(
      `BROKEN ${id}\n  ${requirements.map(({ id: each, requirement }) => `${each}: ${requirement}`).join('\n  ')}`,
    );
    console.log(`  ${observed?.status} ${observed?.body}`);
  }
  for (const check of checks.filter((each) => each.status === 'clean-pass' && each.kill_safe === false))
    console.log(`WEAK ${check.id}`);
  const left = checks.filter(({ status }) => !/^(clean-pass|deviation)/.test(status));
  for (const [reason, found] of Map.groupBy(left, ({ id, status }) => notTestedReason(id, status)))
    console.log(`not tested: ${reason}: ${[...new Set(found.map(({ id }) => id))].join(', ')}`);
  return broken.length;
}
