import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { applyChanges } from '@gantry/images/service';
import { expandWord, expandWords } from '../file/expand.js';
import type { Instruction, Keyword } from '../file/instruction.js';
import { pairsOf } from '../file/pairs-of.js';
import { parseHealthcheck } from '../file/parse-healthcheck.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageState, shellOf, variablesOf, withVariables } from '../stage/stage-state.js';
import { exposeHistory, healthcheckHistory } from './buildkit-history.js';
import type { Step } from './step.js';
import { StepImages } from './step-images.js';

/** A list in the form of histories. */
const quoted = (words: readonly string[]): string => `[${words.map((word) => JSON.stringify(word)).join(' ')}]`;

const expander =
  ({ escapeMark }: BuildSession, state: StageState) =>
  (word: string): string =>
    expandWord(word, variablesOf(state), escapeMark);

const commandOf = (state: StageState, { isList, words, rest }: Instruction): readonly string[] =>
  isList ? words : [...shellOf(state), ...(rest === '' ? [] : [rest])];

/** A signal by name or number. */
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

/** The container's port of a `[host:]port[/protocol]`. */
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

/** The instruction's text in the history. BuildKit's clients see the same, or another, or nothing. */
type Texts = string | { readonly classic: string; readonly buildKit: string | undefined };

/** Changes the stage's configuration. */
type Change = (session: BuildSession, state: StageState, instruction: Instruction) => Promise<Texts>;

const changes: Partial<Record<Keyword, Change>> = {
  ARG: async (session, state, { words }) => {
    const expand = expander(session, state);
    const declared: string[] = [];
    const valued: string[] = [];
    for (const word of words) {
      const equals = word.indexOf('=');
      const name = expand(equals < 0 ? word : word.slice(0, equals));
      const fallback = equals < 0 ? undefined : expand(word.slice(equals + 1));
      session.args.declare(state, name, fallback);
      declared.push(fallback === undefined ? name : `${name}=${fallback}`);
      const value = state.args.get(name);
      valued.push(value === undefined ? name : `${name}=${value}`);
    }
    return { classic: `ARG ${declared.join(' ')}`, buildKit: `ARG ${valued.join(' ')}` };
  },
  CMD: async (_session, state, instruction) => {
    const command = commandOf(state, instruction);
    state.config = { ...state.config, Cmd: command };
    state.hasOwnCommand = true;
    return `CMD ${quoted(command)}`;
  },
  ENTRYPOINT: async (_session, state, instruction) => {
    const { Cmd, Entrypoint: _old, ...config } = state.config;
    const entrypoint = commandOf(state, instruction);
    // The image's command is for the image's entrypoint.
    const kept = state.hasOwnCommand && Cmd !== undefined ? { Cmd } : {};
    state.config = { ...config, ...kept, ...(entrypoint.length > 0 && { Entrypoint: entrypoint }) };
    return `ENTRYPOINT ${quoted(entrypoint)}`;
  },
  ENV: async (session, state, instruction) => {
    const expand = expander(session, state);
    const pairs = pairsOf(instruction).map(([name, value]) => [expand(name), expand(value)] as const);
    state.config = { ...state.config, Env: withVariables(state.config.Env, pairs) };
    return `ENV ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  },
  EXPOSE: async (session, state, { words }) => {
    const ports = words.flatMap((word) => expandWords(word, variablesOf(state), session.escapeMark));
    const exposed = applyChanges({}, [`EXPOSE ${ports.map(containerPort).join(' ')}`]).ExposedPorts;
    state.config = { ...state.config, ExposedPorts: { ...state.config.ExposedPorts, ...exposed } };
    return { classic: `EXPOSE ${[...ports].sort().join(' ')}`, buildKit: exposeHistory(exposed) };
  },
  HEALTHCHECK: async (_session, state, instruction) => {
    const { Test: old = [] } = state.config.Healthcheck ?? {};
    if (old.length > 0) await state.output.text(`Note: overriding previous HEALTHCHECK: [${old.join(' ')}]\n`);
    const healthcheck = parseHealthcheck(instruction);
    state.config = { ...state.config, Healthcheck: healthcheck };
    const classic = `HEALTHCHECK ${instruction.text.replace(/^\S+\s+/, '')}`;
    return { classic, buildKit: healthcheckHistory(healthcheck) };
  },
  LABEL: async (session, state, instruction) => {
    const expand = expander(session, state);
    const pairs = pairsOf(instruction).map(([name, value]) => [expand(name), expand(value)] as const);
    state.config = { ...state.config, Labels: { ...state.config.Labels, ...Object.fromEntries(pairs) } };
    return `LABEL ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  },
  MAINTAINER: async (_session, state, { rest }) => {
    state.author = rest;
    return `MAINTAINER ${rest}`;
  },
  ONBUILD: async (_session, state, { rest }) => {
    state.config = { ...state.config, OnBuild: [...(state.config.OnBuild ?? []), rest] };
    return { classic: `ONBUILD ${rest}`, buildKit: undefined };
  },
  SHELL: async (_session, state, { words }) => {
    state.config = { ...state.config, Shell: words };
    return `SHELL [${words.join(' ')}]`;
  },
  STOPSIGNAL: async (session, state, { rest }) => {
    const signal = expander(session, state)(rest);
    checkSignal(signal);
    state.config = { ...state.config, StopSignal: signal };
    return `STOPSIGNAL ${signal}`;
  },
  USER: async (session, state, { rest }) => {
    const user = expander(session, state)(rest);
    state.config = { ...state.config, User: user };
    return `USER ${user}`;
  },
};

/** Instructions that only change the configuration. */
@injectable()
export class ConfigurationSteps implements Step {
  static readonly keywords: ReadonlySet<Keyword> = new Set(Object.keys(changes) as Keyword[]);

  constructor(@inject(StepImages) private readonly images: StepImages) {}

  async run(session: BuildSession, state: StageState, instruction: Instruction): Promise<void> {
    const change = changes[instruction.keyword];
    if (change === undefined) throw invalidArgument(`${instruction.keyword} does not change the configuration`);
    const texts = await change(session, state, instruction);
    const { classic, buildKit } = typeof texts === 'string' ? { classic: texts, buildKit: texts } : texts;
    await this.images.configure(session, state, classic, buildKit);
  }
}
