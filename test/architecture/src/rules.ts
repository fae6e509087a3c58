import type { Rule } from './rule.js';
import { dependenciesAreDeclared, dependenciesAreUsed } from './rules/dependencies.js';
import {
  filesAreShort,
  indexesOnlyDeclare,
  linksLeadSomewhere,
  nothingIsAny,
  textsKnowNoMachine,
  typesAreNotSilenced,
} from './rules/file-rules.js';
import { foldersHaveNoCycles } from './rules/folder-cycles.js';
import {
  foreignFunctionsInOnePlace,
  injectionInTheKernel,
  koaAtTheSurface,
  processesThroughTheLauncher,
} from './rules/foreign-imports.js';
import { lockfileIsComplete, lockfileNamesNoRegistry } from './rules/lockfile.js';
import {
  buildCoversEveryPackage,
  buildOrderFollowsDependencies,
  packagesIntroduceThemselves,
} from './rules/package-rules.js';
import {
  coreKnowsNobody,
  driversKnowNoPlugin,
  packagesMeetByName,
  pluginsInjectKernelPorts,
  pluginsKnowContractsOnly,
  pluginsMeetAtServices,
  testCodeStaysInTests,
} from './rules/workspace-imports.js';

/** Everything the project has agreed on that a machine can see. */
export const rules: readonly Rule[] = [
  coreKnowsNobody,
  driversKnowNoPlugin,
  pluginsKnowContractsOnly,
  pluginsInjectKernelPorts,
  pluginsMeetAtServices,
  packagesMeetByName,
  testCodeStaysInTests,
  foreignFunctionsInOnePlace,
  processesThroughTheLauncher,
  koaAtTheSurface,
  injectionInTheKernel,
  packagesIntroduceThemselves,
  dependenciesAreDeclared,
  dependenciesAreUsed,
  buildOrderFollowsDependencies,
  buildCoversEveryPackage,
  lockfileNamesNoRegistry,
  lockfileIsComplete,
  foldersHaveNoCycles(),
  filesAreShort(),
  indexesOnlyDeclare,
  nothingIsAny,
  typesAreNotSilenced,
  textsKnowNoMachine,
  linksLeadSomewhere,
];
