import type { Instruction, Stage } from '../file/instruction.js';
import { pairOf } from '../file/pair-of.js';
import { pairsOf } from '../file/pairs-of.js';
import { suggestionFor } from '../file/suggestion-for.js';
import type { RuleName } from './rules.js';

/** Reports a violation, unless its rule is skipped. A function composes a message that takes long. */
export type Report = (rule: RuleName, instruction: Instruction, message: string | (() => string)) => void;

/** Most names that are compared with one that is not defined, and longest text in which values are put, in characters. */
const maxCompared = 1000;
const maxLength = 1000;

/** What the instructions of a stage leave behind, for those of stages made from it. */
export interface StageFacts {
  /** Values by names; undefined where they are not known before the build. */
  readonly variables: ReadonlyMap<string, string | undefined>;
  /** The environment of the image is not known, so that any variable may be defined. */
  readonly isOpen: boolean;
  readonly hasWorkdir: boolean;
  /** Instructions that count once, and are there already. */
  readonly used: ReadonlySet<string>;
}

const secret = /(?:_|^)(?:apikey|auth|credentials?|key|password|pword|passwd|secret|token)(?:_|$)/i;
const isSecret = (name: string): boolean => secret.test(name) && !/(?:_|^)public(?:_|$)/i.test(name);

/** Instructions whose variables the builder replaces. Those of RUN, CMD and ENTRYPOINT are the shell's. */
const expanded: ReadonlySet<string> = new Set(
  'ADD ARG COPY ENV EXPOSE LABEL STOPSIGNAL USER VOLUME WORKDIR'.split(' '),
);

const onlyOnce: ReadonlySet<string> = new Set(['CMD', 'ENTRYPOINT', 'HEALTHCHECK']);

/** Names of variables in a text, but for those in single quotes or behind a backslash. */
export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\\[\s\S]|'[^']*'|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*))/g)].flatMap(
    ([, bare, braced]) => bare ?? braced ?? [],
  );

/** The rules for what a stage does when it runs. */
export function lintStage({ from, instructions }: Stage, before: StageFacts, report: Report): StageFacts {
  const variables = new Map(before.variables);
  const seen = new Map([...before.used].map((keyword) => [keyword, from]));
  let { hasWorkdir } = before;
  let hasShell = false;
  for (const instruction of instructions) {
    const { keyword, isList, rest, words } = instruction;
    if (!before.isOpen && expanded.has(keyword)) reportUndefined(instruction, variables, report);
    if (onlyOnce.has(keyword)) {
      const earlier = seen.get(keyword);
      const reason = 'because only the last one will be used';
      const message = `Multiple ${keyword} instructions should not be used in the same stage ${reason}`;
      if (earlier !== undefined) report('MultipleInstructionsDisallowed', earlier, message);
      seen.set(keyword, instruction);
    }
    if ((keyword === 'ENV' || keyword === 'LABEL') && words[0]?.includes('=') === false) {
      const message = `"${keyword} key=value" should be used instead of legacy "${keyword} key value" format`;
      report('LegacyKeyValueFormat', instruction, message);
    }
    if (keyword === 'SHELL') hasShell = true;
    if ((keyword === 'CMD' || keyword === 'ENTRYPOINT') && !isList && !hasShell) {
      const reason = 'to prevent unintended behavior related to OS signals';
      report('JSONArgsRecommended', instruction, `JSON arguments recommended for ${keyword} ${reason}`);
    }
    if (keyword === 'EXPOSE') lintPorts(instruction, report);
    if (keyword === 'WORKDIR') {
      const path = withValues(rest, variables);
      const reason = 'can have unexpected results if the base image changes';
      if (!hasWorkdir && !path.startsWith('/')) {
        report('WorkdirRelativePath', instruction, `Relative workdir ${JSON.stringify(path)} ${reason}`);
      }
      hasWorkdir = true;
    }
    const defined = keyword === 'ENV' ? pairsOf(instruction) : keyword === 'ARG' ? words.map(pairOf) : [];
    for (const [name] of defined) {
      const message = `Do not use ARG or ENV instructions for sensitive data (${keyword} "${name}")`;
      if (isSecret(name)) report('SecretsUsedInArgOrEnv', instruction, message);
    }
    for (const [name, value] of defined)
      variables.set(name, value === undefined ? undefined : withValues(value, variables));
  }
  return { variables, isOpen: before.isOpen, hasWorkdir, used: new Set(seen.keys()) };
}

function reportUndefined(instruction: Instruction, variables: StageFacts['variables'], report: Report): void {
  const written = [...instruction.flags.values(), instruction.rest].join(' ');
  for (const name of new Set(variablesIn(written))) {
    if (variables.has(name)) continue;
    report('UndefinedVar', instruction, () => {
      const known = [...variables.keys()].slice(0, maxCompared).map((other) => `$${other}`);
      return `Usage of undefined variable '$${name}'${suggestionFor(`$${name}`, known)}`;
    });
  }
}

function lintPorts(instruction: Instruction, report: Report): void {
  for (const word of instruction.words) {
    const [address = '', protocol = ''] = word.split('/');
    if (protocol !== protocol.toLowerCase()) {
      const message = `Defined protocol '${word}' in EXPOSE instruction should be lowercase`;
      report('ExposeProtoCasing', instruction, message);
    }
    if (address.includes(':') && !address.includes('$')) {
      const message = `EXPOSE instruction should not define an IP address or host-port mapping, found '${word}'`;
      report('ExposeInvalidFormat', instruction, message);
    }
  }
}

/** Variables in variables grow fast: a long text stays as it is, and values are cut. */
function withValues(text: string, variables: StageFacts['variables']): string {
  if (text.length > maxLength) return text.slice(0, maxLength);
  return text
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (found, bare, braced) => variables.get(bare ?? braced) ?? found)
    .replace(/^(["'])(.*)\1$/, '$2')
    .slice(0, maxLength);
}
