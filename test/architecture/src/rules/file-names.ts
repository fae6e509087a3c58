import { posix } from 'node:path';
import { exportedNames } from '../exported-names.js';
import type { Rule } from '../rule.js';

/** Files that have the same name in every package, whatever their one export is called. */
const conventional = new Set(['index.ts', 'main.ts', 'routes.ts', 'service.ts', 'wire.ts', 'config.ts']);

/** `OciBundle` and `ociBundle` live in oci-bundle.ts; an acronym is one word. */
const kebabCase = (name: string): string =>
  name
    .replaceAll('RegExp', 'Regexp')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();

export const filesAreNamedAfterTheirExport: Rule = {
  title: 'a file with one exported class or function carries its name',
  check: ({ sources }) =>
    sources.flatMap((file) => {
      const name = posix.basename(file.path);
      if (file.isTest || conventional.has(name)) return [];
      const exported = exportedNames(file);
      const values = exported.filter(({ kind }) => kind !== 'type');
      const [only] = values;
      if (only === undefined || values.length > 1) return [];
      // Beside types, a class is the main export, but a function may be a detail of the type the file is about.
      if (only.kind !== 'class' && (only.kind !== 'function' || exported.length > 1)) return [];
      const wanted = `${kebabCase(only.name)}.ts`;
      return name.replace(/\.(m?js)$/, '.ts') === wanted
        ? []
        : [`${file.path}: exports ${only.name}: name it ${wanted}`];
    }),
};
