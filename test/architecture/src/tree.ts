import type ts from 'typescript';
import { type Import, importsOf } from './imports.js';
import { syntaxOf } from './syntax-of.js';
import { type Manifest, WorkspacePackage } from './workspace-package.js';

/** A code file of a workspace package: everything under `src/` and `bin/`. */
export interface SourceFile {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
  /** Parsed once for all rules, which is most of what they cost. */
  readonly syntax: ts.SourceFile;
  readonly package: WorkspacePackage;
  readonly imports: readonly Import[];
  /** A test or its support. The packages under `test/` and `examples/` are themselves code, with tests beside it. */
  readonly isTest: boolean;
}

/** The project's text files, and what the rules ask about them. */
export class Tree {
  readonly packages: readonly WorkspacePackage[];
  readonly sources: readonly SourceFile[];

  /** @param files path from the root, with `/`, to content. */
  constructor(readonly files: ReadonlyMap<string, string>) {
    this.packages = [...files].flatMap(([path, text]) => {
      const [, folder] =
        /^(core|gantry|gantry-client|create-gantry-driver|(?:drivers|plugins|test|examples)\/[^/]+)\/package\.json$/.exec(
          path,
        ) ?? [];
      return folder === undefined ? [] : [new WorkspacePackage(folder, JSON.parse(text) as Manifest)];
    });
    this.sources = [...files].flatMap(([path, text]) => {
      const owner = this.packages.find(({ folder }) => path.startsWith(`${folder}/`));
      if (owner === undefined || !isCode(path.slice(owner.folder.length + 1))) return [];
      const syntax = syntaxOf(path, text);
      return [{ path, text, syntax, package: owner, imports: importsOf(syntax), isTest: isTest(path) }];
    });
  }

  packageNamed(name: string | undefined): WorkspacePackage | undefined {
    return this.packages.find((candidate) => candidate.name === name);
  }

  /** The parsed content of a JSON file; undefined when there is no such file. */
  json(path: string): unknown {
    const text = this.files.get(path);
    return text === undefined ? undefined : JSON.parse(text);
  }
}

const isCode = (path: string): boolean =>
  /^src\/.*\.(ts|js|mjs)$/.test(path) || (path.startsWith('bin/') && !path.endsWith('.d.ts'));

/** The tests, and what only tests import: folders called `testing`, files called `test-*.ts` or `*.fixture.ts`. */
const isTest = (path: string): boolean =>
  /\.(test|suite|fixture)\.ts$/.test(path) || /\/test-[^/]*\.ts$/.test(path) || path.includes('/testing/');
