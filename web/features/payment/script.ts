/** Loads a payment provider's browser script from the provider's own host, as their terms require. */

/** Milliseconds after which a script counts as blocked. */
const patienceMs = 20_000;
const loads = new Map<string, Promise<void>>();

/** The same address is loaded once. Rejects if it is blocked, offline or too slow, after which it may be requested again. */
export function loadScript(src: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  const known = loads.get(src);
  if (known) return known;
  const load = append(src, attributes).catch((error: unknown) => {
    loads.delete(src);
    throw error;
  });
  loads.set(src, load);
  return load;
}

function append(src: string, attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = document.createElement('script');
  return new Promise<void>((done, failed) => {
    const fail = () => {
      script.remove();
      failed(new Error(`No script from ${new URL(src).host}`));
    };
    const timer = setTimeout(fail, patienceMs);
    script.addEventListener('load', () => {
      clearTimeout(timer);
      done();
    });
    script.addEventListener('error', () => {
      clearTimeout(timer);
      fail();
    });
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
    script.src = src;
    document.head.append(script);
  });
}
