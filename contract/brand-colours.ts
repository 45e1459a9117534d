/** The colours of both schemes by token, such as `ink-soft`, as `#rrggbb`. */
export interface BrandColours {
  light: ReadonlyMap<string, string>;
  dark: ReadonlyMap<string, string>;
}

/** Those of dark mode stand in the last part of the style sheet; the others hold in both. */
export function readBrandColours(css: string): BrandColours {
  const darkAt = css.indexOf('@media (prefers-color-scheme: dark)');
  const light = declared(darkAt < 0 ? css : css.slice(0, darkAt));
  const dark = declared(darkAt < 0 ? '' : css.slice(darkAt));
  return { light: new Map(light), dark: new Map([...light, ...dark]) };
}

function declared(css: string): [string, string][] {
  return [...css.matchAll(/--color-([a-z]+(?:-[a-z]+)*): (#[0-9a-f]{6});/g)].map(
    ([, name = '', colour = '']) => [name, colour],
  );
}
