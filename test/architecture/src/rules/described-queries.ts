import type { Rule } from '../rule.js';
import type { SourceFile } from '../tree.js';

/** `query.boolean('all')`, `queryOf(ctx).string('name')`: how routes read parameters. */
const reading = /\b(?:query|queryOf\(ctx\))\.(?:string|boolean|integer|all|timestamp|oneOf|json)\(\s*'([^']+)'/g;
/** Parameters whose names the reader knows. */
const fixed = /\b(?:query|queryOf\(ctx\))\.(filters|version)\(/g;

/** The OpenAPI document is made of operations: a parameter that they lack is one that clients do not find. */
export const queriesAreDescribed: Rule = {
  title: 'a parameter that a route reads is among the operations of its package',
  check({ sources }) {
    const described = new Map<string, string>();
    for (const { path, text, package: owner } of sources) {
      if (path.endsWith('/operations.ts')) described.set(owner.folder, `${described.get(owner.folder) ?? ''}${text}`);
    }
    return sources
      .filter(({ isTest }) => !isTest)
      .flatMap((file) => {
        const operations = described.get(file.package.folder);
        if (operations === undefined) return [];
        const missing = namesIn(file).filter((name) => !isKey(name, operations));
        return missing.map((name) => `${file.path}: the parameter "${name}" is in no operations.ts of the package`);
      });
  },
};

const namesIn = ({ text }: SourceFile): readonly string[] => [
  ...new Set([...text.matchAll(reading), ...text.matchAll(fixed)].map(([, name]) => name ?? '')),
];

/** As a key of its own, or in short for a constant of that name. */
const isKey = (name: string, operations: string): boolean => {
  const word = name.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`(?:^|[\\s{,])(?:'${word}'|${word})\\s*[:,}]`, 'm').test(operations);
};
