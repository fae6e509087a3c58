import { posix } from 'node:path';
import { invalidArgument } from '@gantry/core/errors';
import { applyChanges, type ImageConfig } from '@gantry/images/service';
import type { Build } from '../build.js';
import { expandWord, expandWords } from '../file/expand.js';
import { parseHealthcheck } from '../file/healthcheck.js';
import type { Instruction, Keyword } from '../file/instruction.js';
import { pairsOf } from '../file/pairs.js';
import { splitBlanks } from '../file/words.js';
import { openImageRoot } from '../root.js';
import { type StageState, shellOf, variablesOf, withVariables } from '../stage-state.js';
import { makeDirectories } from './place-sources.js';

export type Step = (build: Build, state: StageState, instruction: Instruction) => Promise<void>;

/** As lists stand in histories. */
const quoted = (words: readonly string[]): string => `[${words.map((word) => JSON.stringify(word)).join(' ')}]`;

const emptySet = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, {}]));

const expander =
  ({ escapeMark }: Build, state: StageState) =>
  (word: string): string =>
    expandWord(word, variablesOf(state), escapeMark);

const commandOf = (state: StageState, { isList, words, rest }: Instruction): readonly string[] =>
  isList ? words : [...shellOf(state), ...(rest === '' ? [] : [rest])];

/** Signals by name or number, as kill takes them. */
const isSignal = (text: string): boolean =>
  /^(?:[1-9]|[1-5]\d|6[0-4])$/.test(text) || /^(?:SIG)?[A-Z][A-Z0-9]{1,8}(?:[+-]\d{1,2})?$/i.test(text);
const signalNames = new Set(
  `ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP
  TTIN TTOU UNUSED URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX`.split(/\s+/),
);

function checkSignal(text: string): void {
  const name = text
    .toUpperCase()
    .replace(/^SIG/, '')
    .replace(/[+-]\d+$/, '');
  if (!isSignal(text) || (!/^\d+$/.test(text) && !signalNames.has(name)))
    throw invalidArgument(`Invalid signal: ${text}`);
}

/** What a container exposes of a port as `run --publish` takes it, with the host's side in front. */
function containerPort(written: string): string {
  const [, port = '', protocol] = /^(?:.*:)?([^:/]*)(?:\/(.*))?$/s.exec(written) ?? [];
  if (protocol !== undefined && !/^(?:tcp|udp|sctp)$/i.test(protocol))
    throw invalidArgument(`Invalid proto: ${protocol}`);
  const [first = '', last = first, ...more] = port.split('-');
  const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
  if (!isPort(first) || !isPort(last) || more.length > 0 || Number(first) > Number(last))
    throw invalidArgument(`Invalid containerPort: ${port}`);
  return protocol === undefined ? port : `${port}/${protocol}`;
}

/** Instructions that change the configuration alone, WORKDIR excepted, which makes its directory. */
export const settings: Partial<Record<Keyword, Step>> = {
  ARG: async (build, state, { words }) => {
    const expand = expander(build, state);
    const told: string[] = [];
    for (const word of words) {
      const equals = word.indexOf('=');
      const name = expand(equals < 0 ? word : word.slice(0, equals));
      const fallback = equals < 0 ? undefined : expand(word.slice(equals + 1));
      build.args.declare(state, name, fallback);
      told.push(fallback === undefined ? name : `${name}=${fallback}`);
    }
    await build.configure(state, `ARG ${told.join(' ')}`);
  },
  CMD: async (build, state, instruction) => {
    const command = commandOf(state, instruction);
    state.config = { ...state.config, Cmd: command };
    state.hasOwnCommand = true;
    await build.configure(state, `CMD ${quoted(command)}`);
  },
  ENTRYPOINT: async (build, state, instruction) => {
    const { Cmd, Entrypoint: _old, ...config } = state.config;
    const entrypoint = commandOf(state, instruction);
    // A command that came with the image was meant for the image's entrypoint.
    const kept = state.hasOwnCommand && Cmd !== undefined ? { Cmd } : {};
    state.config = { ...config, ...kept, ...(entrypoint.length > 0 && { Entrypoint: entrypoint }) };
    await build.configure(state, `ENTRYPOINT ${quoted(entrypoint)}`);
  },
  ENV: async (build, state, instruction) => {
    const expand = expander(build, state);
    const pairs = pairsOf(instruction).map(([name, value]) => [expand(name), expand(value)] as const);
    state.config = { ...state.config, Env: withVariables(state.config.Env, pairs) };
    await build.configure(state, `ENV ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`);
  },
  EXPOSE: async (build, state, { words }) => {
    const ports = words.flatMap((word) => expandWords(word, variablesOf(state), build.escapeMark));
    const exposed = applyChanges({}, [`EXPOSE ${ports.map(containerPort).join(' ')}`]).ExposedPorts;
    state.config = { ...state.config, ExposedPorts: { ...state.config.ExposedPorts, ...exposed } };
    await build.configure(state, `EXPOSE ${[...ports].sort().join(' ')}`);
  },
  HEALTHCHECK: async (build, state, instruction) => {
    const { Test: old = [] } = state.config.Healthcheck ?? {};
    if (old.length > 0) await build.output.write(`Note: overriding previous HEALTHCHECK: [${old.join(' ')}]\n`);
    state.config = { ...state.config, Healthcheck: parseHealthcheck(instruction) };
    await build.configure(state, `HEALTHCHECK ${instruction.text.replace(/^\S+\s+/, '')}`);
  },
  LABEL: async (build, state, instruction) => {
    const expand = expander(build, state);
    const pairs = pairsOf(instruction).map(([name, value]) => [expand(name), expand(value)] as const);
    state.config = { ...state.config, Labels: { ...state.config.Labels, ...Object.fromEntries(pairs) } };
    await build.configure(state, `LABEL ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`);
  },
  MAINTAINER: async (build, state, { rest }) => {
    state.author = rest;
    await build.configure(state, `MAINTAINER ${rest}`);
  },
  ONBUILD: async (build, state, { rest }) => {
    state.config = { ...state.config, OnBuild: [...(state.config.OnBuild ?? []), rest] };
    await build.configure(state, `ONBUILD ${rest}`);
  },
  SHELL: async (build, state, { words }) => {
    state.config = { ...state.config, Shell: words };
    await build.configure(state, `SHELL [${words.join(' ')}]`);
  },
  STOPSIGNAL: async (build, state, { rest }) => {
    const signal = expander(build, state)(rest);
    checkSignal(signal);
    state.config = { ...state.config, StopSignal: signal };
    await build.configure(state, `STOPSIGNAL ${signal}`);
  },
  USER: async (build, state, { rest }) => {
    const user = expander(build, state)(rest);
    state.config = { ...state.config, User: user };
    await build.configure(state, `USER ${user}`);
  },
  VOLUME: async (build, state, { isList, words, rest }) => {
    const paths = (isList ? words : splitBlanks(rest)).map(expander(build, state)).map((path) => path.trim());
    if (paths.some((path) => path === '')) throw invalidArgument('VOLUME specified can not be an empty string');
    state.config = { ...state.config, Volumes: { ...state.config.Volumes, ...emptySet(paths) } };
    await build.configure(state, `VOLUME [${paths.join(' ')}]`);
  },
  WORKDIR: workingDirectory,
};

async function workingDirectory(build: Build, state: StageState, { rest }: Instruction): Promise<void> {
  const path = expander(build, state)(rest.trim());
  if (path === '') throw invalidArgument('cannot normalize nothing');
  const directory = posix.resolve('/', state.config.WorkingDir ?? '/', path);
  const config: ImageConfig = { ...state.config, WorkingDir: directory };
  state.config = config;
  const command = [...shellOf(state), `#(nop) WORKDIR ${directory}`];
  if (await build.reuse(state, command)) return;
  const root = await openImageRoot(build.parts, state.imageId);
  try {
    const hasMade = await makeDirectories(build, root.directory, directory);
    const layer = hasMade ? await build.parts.storage.diff(root.id, { signal: build.signal }) : undefined;
    await build.make(state, { command, ...(layer !== undefined && { layer }) });
  } finally {
    await root.release();
  }
  await build.tellImage(state);
}
