import { readFile } from 'node:fs/promises';
import { needsOfKind } from './kinds.js';
import type { PackageRequest } from './package-request.js';

/** Of what the packages need that are not the engine's. */
const versions = { typebox: '^0.34.9', typescript: '^7.0.2', nodeTypes: '^20.9.5' };

/** The package.json of a new package. Needs the packages of the engine that this program came with. */
export async function manifestOf({ kind, id, language }: PackageRequest): Promise<object> {
  const version = `^${await ownVersion()}`;
  const { drivers, checks, typebox } = needsOfKind(kind);
  const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version]));
  const isTyped = language === 'typescript';
  const setup = kind === 'network' ? ' --setup setup.mjs' : '';
  return {
    name: `gantry-${kind}-${id}`,
    version: '0.1.0',
    description: `A ${kind} driver for Gantry.`,
    type: 'module',
    engines: { node: '>=20.9' },
    exports: isTyped ? { types: './dist/index.d.ts', default: './dist/index.js' } : './src/index.js',
    files: [isTyped ? 'dist' : 'src'],
    gantry: { driver: { id, provides: `${kind}/1.0` } },
    scripts: {
      ...(isTyped && { build: 'tsc', prepare: 'tsc' }),
      test: `${isTyped ? 'tsc && ' : ''}gantry-conformance .${setup}`,
    },
    dependencies: { ...all(drivers), ...(typebox && { '@sinclair/typebox': versions.typebox }) },
    peerDependencies: all(['@gantry/core']),
    devDependencies: {
      ...all(['@gantry/conformance', ...checks]),
      ...(isTyped && { '@types/node': versions.nodeTypes, typescript: versions.typescript }),
    },
  };
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
