import test from 'ava';
import { lintBuildFile } from './lint-build-file.js';

type Request = Parameters<typeof lintBuildFile>[0];

const lint = (lines: readonly string[], more: Partial<Request> = {}) =>
  lintBuildFile({
    name: 'Dockerfile',
    text: lines.join('\n'),
    target: '',
    automatic: { TARGETPLATFORM: 'linux/amd64' },
    environmentOf: () => [],
    ...more,
  });

/** Such as `2 StageNameCasing: ...`. */
const linesOf = (lines: readonly string[], more?: Partial<Request>) =>
  lint(lines, more).warnings.map(({ rule, message, lines: { start } }) => `${start} ${rule}: ${message}`);

test('FROM names stages in lower case and once, and images by arguments that are declared', (t) => {
  const file = [
    'ARG EMPTY',
    'ARG tag',
    'FROM busybox:$tag as a',
    'FROM --platform=$TARGETPLATFORM busybox AS Build',
    'FROM --platform=linux/amd64 busybox AS build',
    'FROM --platform=linux/amd64 busybox AS on-amd64',
    'FROM busybox AS scratch',
    'FROM $EMPTY$tga AS b',
  ];
  // As Docker 28.5 words them, here and below.
  t.deepEqual(linesOf(file), [
    '3 InvalidDefaultArgInFrom: Default value for ARG busybox:$tag results in empty or invalid base image name',
    "3 FromAsCasing: 'as' and 'FROM' keywords' casing do not match",
    "4 StageNameCasing: Stage name 'Build' should be lowercase",
    '4 RedundantTargetPlatform: Setting platform to predefined $TARGETPLATFORM in FROM is redundant as this is the default behavior',
    '5 DuplicateStageName: Duplicate stage name "build", stage names should be unique',
    '5 FromPlatformFlagConstDisallowed: FROM --platform flag should not use constant value "linux/amd64"',
    '7 ReservedStageName: Stage name should not use the same name as reserved stage "scratch"',
    '8 InvalidDefaultArgInFrom: Default value for ARG $EMPTY$tga results in empty or invalid base image name',
    "8 UndefinedArgInFrom: FROM argument 'tga' is not declared (did you mean tag?)",
  ]);
});

test('instructions are cased alike, and not of forms that are left behind', (t) => {
  const file = ['FROM a', 'MAINTAINER me', 'env x y', 'LABEL a b', 'RUN echo a \\', '', '  b', 'Cmd ["x"]'];
  t.deepEqual(linesOf(file), [
    '2 MaintainerDeprecated: Maintainer instruction is deprecated in favor of using label',
    "3 ConsistentInstructionCasing: Command 'env' should match the case of the command majority (uppercase)",
    '3 LegacyKeyValueFormat: "ENV key=value" should be used instead of legacy "ENV key value" format',
    '4 LegacyKeyValueFormat: "LABEL key=value" should be used instead of legacy "LABEL key value" format',
    '7 NoEmptyContinuation: Empty continuation line',
    "8 ConsistentInstructionCasing: Command 'Cmd' should match the case of the command majority (uppercase)",
  ]);
  t.deepEqual(lint(file).warnings[4]?.lines, { start: 7, end: 7 });
});

test('a stage runs what was meant: commands, ports, directories and secrets', (t) => {
  const file = [
    'FROM a AS base',
    'WORKDIR x',
    'WORKDIR y',
    'ENV PASSWORD=x PUBLIC_KEY=1',
    'ARG MY_AUTH=1',
    'CMD echo a',
    'CMD ["a"]',
    'EXPOSE 80/TCP 127.0.0.1:80:80',
    'SHELL ["/bin/sh"]',
    'ENTRYPOINT echo b',
    'FROM a AS unreachable',
    'WORKDIR z',
    'FROM base',
    'WORKDIR z',
    'CMD ["b"]',
  ];
  const multiple = 'instructions should not be used in the same stage because only the last one will be used';
  const secret = 'Do not use ARG or ENV instructions for sensitive data';
  t.deepEqual(linesOf(file), [
    '2 WorkdirRelativePath: Relative workdir "x" can have unexpected results if the base image changes',
    `4 SecretsUsedInArgOrEnv: ${secret} (ENV "PASSWORD")`,
    `5 SecretsUsedInArgOrEnv: ${secret} (ARG "MY_AUTH")`,
    '6 JSONArgsRecommended: JSON arguments recommended for CMD to prevent unintended behavior related to OS signals',
    `6 MultipleInstructionsDisallowed: Multiple CMD ${multiple}`,
    "8 ExposeProtoCasing: Defined protocol '80/TCP' in EXPOSE instruction should be lowercase",
    "8 ExposeInvalidFormat: EXPOSE instruction should not define an IP address or host-port mapping, found '127.0.0.1:80:80'",
    `13 MultipleInstructionsDisallowed: Multiple CMD ${multiple}`,
  ]);
});

test('variables are defined before they are used, by the image too where it is known', (t) => {
  const file = [
    'FROM a AS base',
    'ARG given',
    "ENV A=$undefined B=$A C=$given D='$quoted' E=\\$escaped F=$OF_IMAGE",
    'RUN echo $shell',
    `COPY $PTAH \${A:-x} /x/`,
    'FROM base',
    `USER \${B}$C$after`,
  ];
  t.deepEqual(linesOf(file, { environmentOf: () => ['OF_IMAGE=1'] }), [
    "3 UndefinedVar: Usage of undefined variable '$undefined'",
    "3 UndefinedVar: Usage of undefined variable '$A'",
    "5 UndefinedVar: Usage of undefined variable '$PTAH' (did you mean $PATH?)",
    "7 UndefinedVar: Usage of undefined variable '$after'",
  ]);
  t.deepEqual(linesOf(file, { environmentOf: () => undefined }), [], 'an image that is not known may define any');
});

test('a file skips rules, or fails the build, and a client has the last word', (t) => {
  const file = ['FROM a AS B', 'CMD x'];
  const skipping = ['# check=skip=JSONArgsRecommended;error=true', ...file];
  t.deepEqual(linesOf(skipping), ["2 StageNameCasing: Stage name 'B' should be lowercase"]);
  t.true(lint(skipping).failsBuild);
  t.deepEqual(linesOf(['# escape=\\', '#check=skip=all', ...file]), []);
  const given = lint(skipping, { check: 'skip=StageNameCasing' });
  t.deepEqual(
    given.warnings.map(({ rule, url }) => [rule, url]),
    [['JSONArgsRecommended', 'https://docs.docker.com/go/dockerfile/rule/json-args-recommended/']],
  );
  t.false(given.failsBuild);
});

test('a file that makes variables grow, or names many, is checked in bounds', (t) => {
  const doubling = Array.from({ length: 500 }, () => 'ENV A=$A$A');
  t.deepEqual(linesOf(['FROM a', 'ENV A=x', ...doubling, 'WORKDIR /$A']), []);
  const names = Array.from({ length: 2000 }, (_, index) => `V${index}`);
  const defined = `ENV ${names.map((name) => `${name}=1`).join(' ')}`;
  const used = `COPY ${names.map((name) => `$X${name}`).join(' ')} /`;
  t.is(lint(['FROM a', defined, used]).warnings.length, 500);
});
