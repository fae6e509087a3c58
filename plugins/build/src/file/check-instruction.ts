import { invalidArgument } from '@gantry/core/errors';
import type { Instruction, Keyword } from './instruction.js';
import { pairsOf } from './pairs-of.js';
import { parseHealthcheck } from './parse-healthcheck.js';
import { parseRunMounts } from './parse-run-mounts.js';
import { suggestionFor } from './suggestion-for.js';

type Check = (instruction: Instruction) => unknown;

const flagsOf: Partial<Record<Keyword, readonly string[]>> = {
  ADD: ['checksum', 'chmod', 'chown', 'exclude', 'keep-git-dir', 'link', 'unpack'],
  COPY: ['chmod', 'chown', 'exclude', 'from', 'link', 'parents'],
  FROM: ['platform'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'start-interval', 'retries'],
  RUN: ['mount', 'network', 'security'],
};

/** What other builders know and this one does not, so that the words say why. */
const newer: ReadonlySet<string> = new Set(['device']);

/** Flags that mean true without a value. */
const switches: ReadonlySet<string> = new Set(['keep-git-dir', 'link', 'parents', 'unpack']);

/** @throws EngineError `invalid-argument` without the line's number. */
export function checkFlag(keyword: Keyword, name: string, hasValue: boolean): void {
  if (!(flagsOf[keyword] ?? []).includes(name)) {
    if (flagsOf[keyword] === undefined || !newer.has(name)) {
      throw invalidArgument(`unknown flag: --${name}${suggestionFor(name, flagsOf[keyword] ?? [])}`);
    }
    throw invalidArgument(`the --${name} option of ${keyword} is not supported by this builder`);
  }
  if (!hasValue && !switches.has(name)) throw invalidArgument(`missing a value on flag: --${name}`);
}

const oneArgument: Check = ({ keyword, rest }) => {
  if (rest.trim() === '') throw invalidArgument(`${keyword} requires exactly one argument`);
};

const someArguments: Check = ({ keyword, rest, isList, words }) => {
  if (isList ? words.length === 0 : rest.trim() === '') {
    throw invalidArgument(`${keyword} requires at least one argument`);
  }
};

const sourcesAndPlace: Check = ({ keyword, words }) => {
  if (words.length === 0) throw invalidArgument(`${keyword} requires at least two arguments`);
  if (words.length === 1) {
    throw invalidArgument(
      `${keyword} requires at least two arguments, but only one was provided. Destination could not be determined`,
    );
  }
};

const checks: Partial<Record<Keyword, Check>> = {
  ADD: sourcesAndPlace,
  COPY: sourcesAndPlace,
  ARG: (instruction) => {
    someArguments(instruction);
    for (const word of instruction.words) {
      if (word.startsWith('=')) throw invalidArgument(`ARG names can not be blank: "${word}"`);
    }
  },
  ENV: (instruction) => {
    someArguments(instruction);
    pairsOf(instruction);
  },
  LABEL: (instruction) => {
    someArguments(instruction);
    pairsOf(instruction);
  },
  EXPOSE: someArguments,
  FROM: ({ words }) => {
    if (words.length === 1 || (words.length === 3 && /^as$/i.test(words[1] ?? ''))) {
      const name = words[2];
      if (name === undefined || /^[a-z][a-z0-9-_.]*$/i.test(name)) return;
      throw invalidArgument(
        `invalid name for build stage: "${name}", name can't start with a number or contain symbols`,
      );
    }
    throw invalidArgument('FROM requires either one or three arguments');
  },
  HEALTHCHECK: parseHealthcheck,
  MAINTAINER: oneArgument,
  ONBUILD: (instruction) => {
    someArguments(instruction);
    const trigger = instruction.words[0]?.toUpperCase();
    if (trigger === 'ONBUILD') throw invalidArgument("Chaining ONBUILD via `ONBUILD ONBUILD` isn't allowed");
    if (trigger === 'MAINTAINER' || trigger === 'FROM') {
      throw invalidArgument(`${trigger} isn't allowed as an ONBUILD trigger`);
    }
  },
  // An empty list runs the command of the image.
  RUN: (instruction) => {
    parseRunMounts(instruction);
    const security = instruction.flags.get('security') ?? 'sandbox';
    if (security !== 'sandbox') throw invalidArgument(`RUN --security=${security} is not supported by this builder`);
    if (!instruction.isList) someArguments(instruction);
  },
  SHELL: ({ isList, words }) => {
    if (!isList) throw invalidArgument('SHELL requires the arguments to be in JSON form');
    if (words.length === 0) throw invalidArgument('SHELL requires at least one argument');
  },
  STOPSIGNAL: oneArgument,
  USER: oneArgument,
  VOLUME: (instruction) => {
    someArguments(instruction);
    if (instruction.words.some((word) => word.trim() === '')) {
      throw invalidArgument('VOLUME specified can not be an empty string');
    }
  },
  WORKDIR: oneArgument,
};

/** @throws EngineError `invalid-argument` without the line's number. */
export function checkInstruction(instruction: Instruction): void {
  checks[instruction.keyword]?.(instruction);
}
