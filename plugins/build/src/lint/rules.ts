/** What each rule asks for, by the names that clients know. */
export const rules = {
  ConsistentInstructionCasing: 'All commands within the Dockerfile should use the same casing (either upper or lower)',
  DuplicateStageName: 'Stage names should be unique',
  ExposeInvalidFormat: 'IP address and host-port mapping should not be used in EXPOSE instruction',
  ExposeProtoCasing: 'Protocol in EXPOSE instruction should be lowercase',
  FromAsCasing: "The 'as' keyword should match the case of the 'from' keyword",
  FromPlatformFlagConstDisallowed: 'FROM --platform flag should not use a constant value',
  InvalidDefaultArgInFrom: 'Default value for global ARG results in an empty or invalid base image name',
  JSONArgsRecommended:
    'JSON arguments recommended for ENTRYPOINT/CMD to prevent unintended behavior related to OS signals',
  LegacyKeyValueFormat: 'Legacy key/value format with whitespace separator should not be used',
  MaintainerDeprecated: 'The MAINTAINER instruction is deprecated, use a label instead to define an image author',
  MultipleInstructionsDisallowed: 'Multiple instructions of the same type should not be used in the same stage',
  NoEmptyContinuation: 'Empty continuation lines will become errors in a future release',
  RedundantTargetPlatform: 'Setting platform to predefined $TARGETPLATFORM in FROM is redundant',
  ReservedStageName: 'Reserved words should not be used as stage names',
  SecretsUsedInArgOrEnv: 'Sensitive data should not be used in the ARG or ENV commands',
  StageNameCasing: 'Stage names should be lowercase',
  UndefinedArgInFrom: 'FROM command must use declared ARGs',
  UndefinedVar: 'Variables should be defined before their use',
  WorkdirRelativePath:
    'Relative workdir without an absolute workdir declared within the build can have unexpected results if the base image changes',
} as const;

export type RuleName = keyof typeof rules;

/** Where a rule is explained. */
export function urlOf(rule: RuleName): string {
  const words = rule.replace(/([A-Z]+)(?=[A-Z][a-z])|([a-z])(?=[A-Z])/g, '$&-').toLowerCase();
  return `https://docs.docker.com/go/dockerfile/rule/${words}/`;
}
