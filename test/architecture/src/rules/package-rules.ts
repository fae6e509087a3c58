import type { Rule } from '../rule.js';
import type { WorkspacePackage } from '../workspace-package.js';

/** A rule that looks at one package at a time. */
const packageRule = (
  title: string,
  judge: (owner: WorkspacePackage, files: ReadonlyMap<string, string>) => readonly string[],
): Rule => ({
  title,
  check: ({ packages, files }) =>
    packages.flatMap((owner) => judge(owner, files).map((wrong) => `${owner.folder}: ${wrong}`)),
});

export const packagesIntroduceThemselves = packageRule(
  'a package says what it is: name, description, licence, exports and README',
  ({ folder, manifest }, files) => {
    const name = `@gantry/${folder.split('/').at(-1)}`;
    const missing = {
      [`name should be ${name}`]: manifest.name !== name,
      'description is missing': !manifest.description,
      'license should be Apache-2.0': manifest.license !== 'Apache-2.0',
      'type should be module': manifest.type !== 'module',
      'exports is missing': manifest.exports === undefined,
      'README.md is missing or empty': (files.get(`${folder}/README.md`) ?? '').trim() === '',
    };
    return Object.entries(missing).flatMap(([wrong, isWrong]) => (isWrong ? [wrong] : []));
  },
);

interface TypeScriptConfig {
  readonly references?: readonly { readonly path: string }[];
}

export const buildOrderFollowsDependencies: Rule = {
  title: 'the build references of a package are its workspace dependencies',
  check(tree) {
    return tree.packages.flatMap((owner) => {
      const config = tree.json(`${owner.folder}/tsconfig.json`) as TypeScriptConfig | undefined;
      if (config === undefined) return [`${owner.folder}: tsconfig.json is missing`];
      const up = owner.folder.split('/').fill('..').join('/');
      const wanted = owner.declared.flatMap((name) => tree.packageNamed(name)?.folder ?? []);
      const given = (config.references ?? []).map(({ path }) =>
        path.replace(`${up}/`, '').replace('../', siblings(owner)),
      );
      return differences(wanted, given, `${owner.folder}/tsconfig.json`);
    });
  },
};

/** `../lib-linux` in drivers/lib-archive is drivers/lib-linux. */
const siblings = ({ folder }: WorkspacePackage): string => folder.replace(/[^/]*$/, '');

export const buildCoversEveryPackage: Rule = {
  title: 'the root build references every package',
  check(tree) {
    const config = tree.json('tsconfig.json') as TypeScriptConfig | undefined;
    const given = (config?.references ?? []).map(({ path }) => path.replace('./', ''));
    const wanted = tree.packages.map(({ folder }) => folder);
    return differences(wanted, given, 'tsconfig.json');
  },
};

function differences(wanted: readonly string[], given: readonly string[], place: string): string[] {
  return [
    ...wanted.filter((folder) => !given.includes(folder)).map((folder) => `${place}: no reference to ${folder}`),
    ...given.filter((folder) => !wanted.includes(folder)).map((folder) => `${place}: needless reference to ${folder}`),
  ];
}
