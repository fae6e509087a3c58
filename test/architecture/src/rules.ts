import type { Rule } from './rule.js';
import { classesAreSmall, classesNameFewDependencies, useCasesHaveOneMethod } from './rules/class-size.js';
import { dependenciesAreDeclared, dependenciesAreUsed, distributionInstallsItsPackages } from './rules/dependencies.js';
import { queriesAreDescribed } from './rules/described-queries.js';
import { filesAreNamedAfterTheirExport } from './rules/file-names.js';
import {
  filesAreShort,
  indexesOnlyDeclare,
  lateImportsAreOwn,
  linksLeadSomewhere,
  logsCarryErrors,
  nothingIsAny,
  testsAreRun,
  textsKnowNoMachine,
  typesAreNotSilenced,
} from './rules/file-rules.js';
import { foldersHaveNoCycles } from './rules/folders-have-no-cycles.js';
import {
  foreignFunctionsInOnePlace,
  injectionInTheKernel,
  koaAtTheSurface,
  onlyTheKernelResolves,
  processesThroughTheLauncher,
} from './rules/foreign-imports.js';
import { injectedClassesAreRegistered } from './rules/injection.js';
import { lockfileIsComplete, lockfileNamesNoRegistry } from './rules/lockfile.js';
import {
  buildCoversEveryPackage,
  buildOrderFollowsDependencies,
  packagesIntroduceThemselves,
  publishedPackagesAreComplete,
} from './rules/package-rules.js';
import { swarmFormatFollowsVersions } from './rules/swarm-records.js';
import { threatsAreTested } from './rules/threats.js';
import { exportsAreUsed } from './rules/unused-exports.js';
import { registeredPartsOnlyAnswer } from './rules/upward-calls.js';
import { wordsAreOfTheField } from './rules/vocabulary.js';
import {
  coreKnowsNoPackage,
  driversKnowNoPlugin,
  kernelPortsAreInjected,
  packagesMeetByName,
  pluginsKnowContractsOnly,
  pluginsMeetAtServices,
  testCodeStaysInTests,
} from './rules/workspace-imports.js';

/** Everything the project has agreed on that a machine can see. */
export const rules: readonly Rule[] = [
  coreKnowsNoPackage,
  driversKnowNoPlugin,
  pluginsKnowContractsOnly,
  kernelPortsAreInjected,
  pluginsMeetAtServices,
  registeredPartsOnlyAnswer,
  packagesMeetByName,
  testCodeStaysInTests,
  foreignFunctionsInOnePlace,
  processesThroughTheLauncher,
  koaAtTheSurface,
  injectionInTheKernel,
  onlyTheKernelResolves,
  packagesIntroduceThemselves,
  publishedPackagesAreComplete,
  dependenciesAreDeclared,
  dependenciesAreUsed,
  distributionInstallsItsPackages,
  buildOrderFollowsDependencies,
  buildCoversEveryPackage,
  lockfileNamesNoRegistry,
  lockfileIsComplete,
  injectedClassesAreRegistered,
  exportsAreUsed,
  classesAreSmall,
  classesNameFewDependencies,
  useCasesHaveOneMethod,
  filesAreNamedAfterTheirExport,
  wordsAreOfTheField,
  foldersHaveNoCycles,
  filesAreShort(),
  testsAreRun,
  indexesOnlyDeclare,
  lateImportsAreOwn,
  nothingIsAny,
  typesAreNotSilenced,
  textsKnowNoMachine,
  linksLeadSomewhere,
  logsCarryErrors,
  swarmFormatFollowsVersions,
  threatsAreTested,
  queriesAreDescribed,
];
