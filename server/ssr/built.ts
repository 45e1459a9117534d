import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderPage } from '#contract/rendering.ts';
import { finishPage, hashOf, type PageHead } from './document.ts';
import { headMarkup, type Manifest } from './manifest.ts';
import { isScanner, type WebAsset, type WebRenderer } from './renderer.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
};

const builds = join(import.meta.dirname, '../../dist');

/** A folder in `dist/`; without it the latest one is read. Later builds do not touch it. */
export async function openBuiltRenderer(build = process.env.WEB_BUILD): Promise<WebRenderer> {
  const latest = async () => (JSON.parse(await readFile(join(builds, '.built.json'), 'utf8')) as { folder: string }).folder;
  const dist = join(builds, build ?? (await latest()));
  const web = join(dist, 'web');
  const manifest = JSON.parse(await readFile(join(web, '.vite/manifest.json'), 'utf8')) as Manifest;
  const startScript = await readFile(join(web, '.vite/start.js'), 'utf8');
  const head: PageHead = { markup: headMarkup(manifest, startScript), scriptHashes: [hashOf(startScript)] };
  const { renderPage } = (await import(pathToFileURL(join(dist, 'server/entry.server.js')).href)) as { renderPage: RenderPage };
  const officeDocument = async (path: string) => readFile(join(web, path), 'utf8');
  const [office, scan] = await Promise.all([officeDocument('office/index.html'), officeDocument('office/scan/index.html')]);
  const assets = new Map<string, Promise<WebAsset | null>>();

  return {
    office: async (url) => (isScanner(url) ? scan : office),
    render: async (request) => finishPage(await renderPage(request), head),
    async asset(path) {
      const known = assets.get(path);
      if (known) return known;
      const reading = readAsset(web, path);
      // Only existing files are cached, so that guessed names do not fill memory.
      if (await reading) assets.set(path, reading);
      return reading;
    },
    close: async () => {},
  };
}

async function readAsset(web: string, path: string): Promise<WebAsset | null> {
  const type = types[extname(path)];
  const file = normalize(path);
  if (!type || file.includes('..') || file.includes('\0') || file.includes('/.')) return null;
  const read = (suffix = '') => readFile(join(web, file + suffix)).catch(() => null);
  const [body, brotli, gzip] = await Promise.all([read(), read('.br'), read('.gz')]);
  return body && { type, body, brotli, gzip, immutable: file.startsWith('/assets/') };
}
