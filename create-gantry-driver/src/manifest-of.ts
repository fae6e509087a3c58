import { readFile } from 'node:fs/promises';
import { needsOfKind } from './kinds.js';
import type { PackageRequest } from './package-request.js';

/** Of what the packages need that are not the engine's. */
const versions = { typebox: '^0.34.9', typescript: '^7.0.2', nodeTypes: '^20.9.5' };

/** The package.json of a new package. Needs the packages of the engine that this program came with. */
export async function manifestOf({ kind, id, language }: PackageRequest): Promise<object> {
  const version = `^${await ownVersion()}`;
  const { noun, drivers, peers, checks, typebox, test } = needsOfKind(kind);
  const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version]));
  const isTyped = language === 'typescript';
  const typeboxFor = (use: typeof typebox) => typebox === use && { '@sinclair/typebox': versions.typebox };
  const compiled = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
  return {
    name: `gantry-${kind}-${id}`,
    version: '0.1.0',
    description: `A ${noun} for Gantry.`,
    type: 'module',
    engines: { node: '>=20.9' },
    ...(kind === 'plugin'
      ? { exports: { '.': compiled('index'), './service': compiled('service') } }
      : { exports: isTyped ? compiled('index') : './src/index.js' }),
    files: isTyped ? ['dist', '!dist/**/*.test.*'] : ['src'],
    gantry: kind === 'plugin' ? { plugin: { id } } : { driver: { id, provides: `${kind}/1.0` } },
    scripts: {
      ...(isTyped && { build: 'tsc', prepare: 'tsc' }),
      test: `${isTyped ? 'tsc && ' : ''}${test}`,
    },
    dependencies: { ...all(drivers), ...typeboxFor('own') },
    peerDependencies: { ...all(['@gantry/core', ...peers]), ...typeboxFor('peer') },
    devDependencies: {
      ...all(checks),
      ...(isTyped && { '@types/node': versions.nodeTypes, typescript: versions.typescript }),
    },
  };
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
