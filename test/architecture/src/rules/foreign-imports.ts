import { packageOf } from '../imports.js';
import type { Rule } from '../rule.js';
import { importRule } from './import-rule.js';

export const foreignFunctionsInOnePlace = importRule(
  'only drivers/lib-linux imports koffi',
  ({ specifier }, { path }) =>
    packageOf(specifier) === 'koffi' && !path.startsWith('drivers/lib-linux/')
      ? 'foreign functions belong in drivers/lib-linux: ask for a port of @gantry/lib-linux'
      : undefined,
);

/**
 * The launcher of an ordinary user's engine is a process of its own, before the daemon; npm is started by the process of
 * `gantryd driver`, before the daemon is asked.
 */
const daemonGroups = /^(core|drivers|plugins)\/(?!lib-rootless\/|src\/packages\/run-npm\.ts)/;

export const processesThroughTheLauncher = importRule(
  'the daemon never starts a process by itself',
  ({ specifier }, { path, isTest }) =>
    /^(node:)?child_process$/.test(specifier) && daemonGroups.test(path) && !isTest
      ? 'forking stalls the event loop: start it through the launcher of @gantry/lib-linux'
      : undefined,
);

export const koaAtTheSurface = importRule(
  'koa is used by core/src/http and by routes only',
  ({ specifier, typeOnly }, { path, isTest }) =>
    /^(@koa\/router|koa)$/.test(specifier) &&
    !typeOnly &&
    !isTest &&
    !path.startsWith('core/src/http/') &&
    !/(^|\/)([a-z-]+-)?routes\.ts$/.test(path)
      ? 'requests and responses end in a routes.ts file: hand on what was parsed'
      : undefined,
);

export const injectionInTheKernel = importRule('only the kernel knows tsyringe', ({ specifier }, { path }) =>
  packageOf(specifier) === 'tsyringe' && !path.startsWith('core/src/kernel/')
    ? 'take what you need in the constructor; the kernel does the injecting'
    : undefined,
);

/** Elsewhere a class would hide what it uses, and find out too late that it is not there. */
export const onlyTheKernelResolves: Rule = {
  title: 'only the kernel resolves what a container holds',
  check: ({ sources }) =>
    sources
      .filter(({ path }) => !path.startsWith('core/src/kernel/') && !path.startsWith('test/architecture/'))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            /\bcontainer\s*\.resolve(All)?\b/i.test(line)
              ? [`${path}:${index + 1}: name it in the constructor with @inject`]
              : [],
          ),
      ),
};
