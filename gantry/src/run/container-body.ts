import { readFileSync } from 'node:fs';
import type { ContainerCreateBody } from 'gantry-client';
import { parseDevice, parseMount, parseVolume } from './parse-mounts.js';
import { parsePort } from './parse-port.js';
import { parseBytes, parseCpus } from './parse-quantity.js';
import type { RunCommand } from './parse-run.js';
import { UsageError } from './usage-error.js';

/** The container that a command line asks for. @throws UsageError naming flag and value. */
export function containerBody(run: RunCommand): ContainerCreateBody {
  const { has, text, all } = run;
  const ports = all('publish').map(parsePort);
  const volumes = all('volume').map(parseVolume);
  const [isInteractive, hasTerminal] = [has('interactive'), has('tty')];
  const bindings: Record<string, object[]> = {};
  for (const { port, binding } of ports) bindings[port] = [...(bindings[port] ?? []), binding];
  return {
    Image: run.image,
    ...(run.command.length > 0 && { Cmd: run.command }),
    Env: [...all('env-file').flatMap(environmentOf), ...all('env').flatMap(variableOf)],
    Labels: Object.fromEntries(all('label').map((label) => pairOf(label))),
    Tty: hasTerminal,
    OpenStdin: isInteractive,
    StdinOnce: isInteractive,
    AttachStdin: isInteractive,
    AttachStdout: true,
    AttachStderr: true,
    ExposedPorts: Object.fromEntries(ports.map(({ port }) => [port, {}])),
    Volumes: Object.fromEntries(volumes.flatMap((volume) => ('anonymous' in volume ? [[volume.anonymous, {}]] : []))),
    ...given('WorkingDir', text('workdir')),
    ...given('User', text('user')),
    ...given('Hostname', text('hostname')),
    ...given('StopSignal', text('stop-signal')),
    ...given('Entrypoint', entrypointOf(text('entrypoint'))),
    HostConfig: {
      Binds: volumes.flatMap((volume) => ('bind' in volume ? [volume.bind] : [])),
      Mounts: all('mount').map(parseMount),
      Tmpfs: Object.fromEntries(all('tmpfs').map((mount) => pairOf(mount, ':'))),
      PortBindings: bindings,
      ExtraHosts: all('add-host'),
      Dns: all('dns'),
      CapAdd: all('cap-add'),
      CapDrop: all('cap-drop'),
      Devices: all('device').map(parseDevice),
      SecurityOpt: all('security-opt'),
      Ulimits: all('ulimit').map(ulimitOf),
      Privileged: has('privileged'),
      ReadonlyRootfs: has('read-only'),
      ...(has('init') && { Init: true }),
      ...given('NetworkMode', text('network')),
      ...given(
        'Memory',
        mapped(text('memory'), (value) => parseBytes('memory', value)),
      ),
      ...given(
        'ShmSize',
        mapped(text('shm-size'), (value) => parseBytes('shm-size', value)),
      ),
      ...given('NanoCpus', mapped(text('cpus'), parseCpus)),
    },
  };
}

const given = (key: string, value: unknown): object => (value === undefined ? {} : { [key]: value });

const mapped = <T>(value: string | undefined, map: (value: string) => T): T | undefined =>
  value === undefined ? undefined : map(value);

/** The empty program is that of no image. */
const entrypointOf = (text: string | undefined): readonly string[] | undefined =>
  text === undefined ? undefined : [text];

/** A name alone passes on a variable of this environment; one that is not set is not passed on. */
function variableOf(text: string): readonly string[] {
  if (text.includes('=')) return [text];
  const value = process.env[text];
  return value === undefined ? [] : [`${text}=${value}`];
}

function environmentOf(file: string): readonly string[] {
  let lines: readonly string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw new UsageError(`--env-file: ${(error as Error).message}`);
  }
  return lines
    .map((line) => line.trim())
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : variableOf(line)));
}

function pairOf(text: string, separator = '='): readonly [string, string] {
  const cut = text.indexOf(separator);
  return cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)];
}

function ulimitOf(text: string): Readonly<Record<string, unknown>> {
  const [, name, soft, hard = soft] = /^([a-z]+)=(-?\d+)(?::(-?\d+))?$/.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--ulimit: "${text}" is not NAME=SOFT[:HARD]`);
  return { Name: name, Soft: Number(soft), Hard: Number(hard) };
}
