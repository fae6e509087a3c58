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
    const name = !folder.includes('/') && folder !== 'core' ? folder : `@gantry/${folder.split('/').at(-1)}`;
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

/** Tests and examples stay in the repository, except the kits that drivers elsewhere are tested with. */
const isPublished = ({ folder, manifest }: WorkspacePackage): boolean =>
  !/^(test|examples)\//.test(folder) || manifest.private !== true;

export const publishedPackagesAreComplete = packageRule(
  'a package that is published works where it is installed',
  (owner, files) => {
    if (!isPublished(owner)) return [];
    const { manifest, folder, role } = owner;
    const isPeer = role === 'core' || role === 'distribution' || manifest.dependencies?.['@gantry/core'] === undefined;
    const missing = {
      'private keeps it from being published': manifest.private === true,
      'engines.node should be >=20.9': manifest.engines?.node !== '>=20.9',
      'LICENSE is missing, or is not that of the project': files.get(`${folder}/LICENSE`) !== files.get('LICENSE'),
      '@gantry/core should be a peer dependency: the daemon supplies it': !isPeer,
      'exports should have ./package.json, by which the bundle finds its files':
        manifest.exports === undefined || !('./package.json' in manifest.exports),
      'files should leave tests out: !dist/**/*.test.*': !manifest.files?.includes('!dist/**/*.test.*'),
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
      // What begins with ./ is a part of the package with settings of its own, such as pages for browsers.
      const given = (config.references ?? [])
        .filter(({ path }) => !path.startsWith('./'))
        .map(({ path }) => path.replace(`${up}/`, '').replace('../', siblings(owner)));
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
