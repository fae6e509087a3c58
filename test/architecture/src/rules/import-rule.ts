import type { Import } from '../imports.js';
import type { Rule } from '../rule.js';
import type { SourceFile, Tree } from '../tree.js';

/** A rule that looks at one import at a time. `judge` returns what is wrong with it, or undefined. */
export function importRule(
  title: string,
  judge: (found: Import, file: SourceFile, tree: Tree) => string | undefined,
): Rule {
  return {
    title,
    check: (tree) =>
      tree.sources.flatMap((file) =>
        file.imports.flatMap((found) => {
          const wrong = judge(found, file, tree);
          return wrong === undefined ? [] : [`${file.path}:${found.line}: ${wrong}`];
        }),
      ),
  };
}
