/** Finds what a file imports, by its text: TypeScript 7 offers no syntax tree to JavaScript. */
import { dirname, join, relative, resolve } from 'node:path';

export interface Import {
  specifier: string;
  /** Path below the root for a file of the project, otherwise the package's name. */
  target: string;
  own: boolean;
  typeOnly: boolean;
}

/** Finds static, re-exporting, side-effect and literal dynamic imports. Comments are cut first; strings are left alone. */
export function importsOf(text: string, path: string, root: string): Import[] {
  const code = text.replace(/^\s*(\/\/.*|\/\*[\s\S]*?\*\/)/gm, '');
  const forms = [
    /^\s*(?:import|export)\s+(type\s)?(?:[\w*$\s{},]+?\sfrom\s+)?['"]([^'"]+)['"]/gm,
    /\bimport\s*\((\s*)['"]([^'"]+)['"]/g,
  ];
  return forms.flatMap((form) =>
    [...code.matchAll(form)].map(([, typeOnly = '', specifier = '']) => {
      const own = /^[.#]/.test(specifier);
      const absolute = specifier.startsWith('#')
        ? join(root, specifier.slice(1))
        : resolve(dirname(path), specifier);
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      return {
        specifier,
        own,
        typeOnly: typeOnly.trim() === 'type',
        target: own ? relative(root, absolute).replaceAll('\\', '/') : name,
      };
    }),
  );
}
