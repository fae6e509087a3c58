import { invalidArgument } from '@gantry/core/errors';
import type { ImageConfig } from './image-config.js';

type Change = (config: ImageConfig, text: string) => ImageConfig;

/** Words of a line: blanks separate, quotes and backslashes keep together. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const pattern = /((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+)/g;
  for (const [word] of text.matchAll(pattern)) {
    words.push(
      word.replace(
        /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
        (_all, double?: string, single?: string, escaped?: string) =>
          double !== undefined ? double.replace(/\\(["\\$])/g, '$1') : (single ?? escaped ?? ''),
      ),
    );
  }
  return words;
}

/** `["a", "b"]` exactly, or a line for the image's shell. */
export function parseCommand(text: string, shell: readonly string[] = ['/bin/sh', '-c']): readonly string[] {
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
    } catch {
      // Not JSON, so it is a line for the shell that happens to begin with a bracket.
    }
  }
  return [...shell, text];
}

/** `A=1 B="x y"`, or the old form `A the rest of the line`. */
function parsePairs(instruction: string, text: string): readonly (readonly [string, string])[] {
  if (!/^\S+?=/.test(text)) {
    const [, name = '', value] = /^(\S+)(?:\s+(.*))?$/s.exec(text) ?? [];
    if (value === undefined) throw invalidArgument(`${instruction} must have two arguments: "${text}"`);
    return [[name, value]];
  }
  return splitWords(text).map((word) => {
    const at = word.indexOf('=');
    if (at < 1) throw invalidArgument(`${instruction}: "${word}" is not of the form name=value`);
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
}

const asKeys = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, {}]));

function listOrWords(text: string): readonly string[] {
  return text.startsWith('[') ? parseCommand(text, []) : splitWords(text);
}

/** One for each port of a range. */
function exposedPorts(word: string): readonly string[] {
  const [, first, last = first, protocol = 'tcp'] = /^(\d+)(?:-(\d+))?(?:\/(tcp|udp|sctp))?$/i.exec(word) ?? [];
  if (first === undefined || Number(first) > Number(last) || Number(last) > 65_535) {
    throw invalidArgument(`EXPOSE: "${word}" is not a port such as 80 or 53/udp`);
  }
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => `${Number(first) + index}/${protocol.toLowerCase()}`);
}

const changes: Readonly<Record<string, Change>> = {
  CMD: (config, text) => ({ ...config, Cmd: parseCommand(text, config.Shell) }),
  ENTRYPOINT: (config, text) => ({ ...config, Entrypoint: parseCommand(text, config.Shell) }),
  ENV: (config, text) => {
    const added = parsePairs('ENV', text);
    const kept = (config.Env ?? []).filter((entry) => !added.some(([name]) => entry.startsWith(`${name}=`)));
    return { ...config, Env: [...kept, ...added.map(([name, value]) => `${name}=${value}`)] };
  },
  LABEL: (config, text) => ({
    ...config,
    Labels: { ...config.Labels, ...Object.fromEntries(parsePairs('LABEL', text)) },
  }),
  EXPOSE: (config, text) => ({
    ...config,
    ExposedPorts: { ...config.ExposedPorts, ...asKeys(splitWords(text).flatMap(exposedPorts)) },
  }),
  VOLUME: (config, text) => ({ ...config, Volumes: { ...config.Volumes, ...asKeys(listOrWords(text)) } }),
  USER: (config, text) => ({ ...config, User: text }),
  WORKDIR: (config, text) => {
    const below = (config.WorkingDir ?? '/').replace(/\/$/, '');
    return { ...config, WorkingDir: text.startsWith('/') ? text : `${below}/${text}` };
  },
  STOPSIGNAL: (config, text) => ({ ...config, StopSignal: text }),
  ONBUILD: (config, text) => ({ ...config, OnBuild: [...(config.OnBuild ?? []), text] }),
  SHELL: (config, text) => ({ ...config, Shell: parseCommand(text) }),
  HEALTHCHECK: (config, text) => ({ ...config, Healthcheck: parseHealthcheck(text) }),
};

/** `NONE`, or `[--interval=30s …] CMD …`. */
function parseHealthcheck(text: string): NonNullable<ImageConfig['Healthcheck']> {
  const flags: Record<string, string> = {};
  let rest = text;
  for (let match = /^--([a-z-]+)=(\S+)\s+/.exec(rest); match !== null; match = /^--([a-z-]+)=(\S+)\s+/.exec(rest)) {
    flags[match[1] ?? ''] = match[2] ?? '';
    rest = rest.slice(match[0].length);
  }
  if (/^NONE$/i.test(rest.trim())) return { Test: ['NONE'] };
  const [, command] = /^CMD\s+(.+)$/is.exec(rest) ?? [];
  if (command === undefined) throw invalidArgument(`HEALTHCHECK: "${rest}" is neither NONE nor CMD with a command`);
  const list = parseCommand(command, []);
  const times = {
    interval: 'Interval',
    timeout: 'Timeout',
    'start-period': 'StartPeriod',
    'start-interval': 'StartInterval',
  } as const;
  const parsed: Record<string, unknown> = { Test: [command.startsWith('[') ? 'CMD' : 'CMD-SHELL', ...list] };
  for (const [flag, value] of Object.entries(flags)) {
    if (flag === 'retries' && /^\d+$/.test(value)) parsed.Retries = Number(value);
    else if (flag in times) parsed[times[flag as keyof typeof times]] = parseDuration(`HEALTHCHECK --${flag}`, value);
    else throw invalidArgument(`HEALTHCHECK: --${flag}=${value} is not understood`);
  }
  return parsed;
}

const unitNanoseconds = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 } as const;

/** `1m30s` in nanoseconds. */
export function parseDuration(option: string, text: string): number {
  if (!/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(text)) {
    throw invalidArgument(`${option}: "${text}" is not a duration such as 1m30s`);
  }
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)) {
    total += Number(number) * unitNanoseconds[unit as keyof typeof unitNanoseconds];
  }
  return Math.round(total);
}

/**
 * Applies build-instruction lines to a configuration, as import and commit take them in `changes`.
 * @throws EngineError `invalid-argument` naming the line.
 */
export function applyChanges(config: ImageConfig, lines: readonly string[]): ImageConfig {
  let current = config;
  for (const line of lines.flatMap((text) => text.split('\n')).map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, instruction = '', text] = /^([a-zA-Z]+)\s+(.*)$/s.exec(line) ?? [];
    const change = changes[instruction.toUpperCase()];
    if (change === undefined || text === undefined) {
      throw invalidArgument(`${instruction || line} is not a valid change command: "${line}"`);
    }
    current = change(current, text.trim());
  }
  return current;
}
