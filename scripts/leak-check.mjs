import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './setup.mjs';

/**
 * The kinds of host resources that a test run can leak, each with a function that lists those that exist: by names that stay
 * the same as long as the resource exists.
 */
const kinds = {
  mount: () => mounts().filter((path) => path !== '/run/netns'), // created once by ip and kept
  'named network namespace': () => entries('/run/netns'),
  'network namespace': () => [...networkNamespaces().keys()],
  link: () => entries('/sys/class/net'),
  'nft table': () => lines(output('nft', ['list', 'tables'])),
  cgroup: () => cgroups('/sys/fs/cgroup', 4),
  process: () => processes().filter(isOurs).map(describe),
  'temporary file': () =>
    entries(tmpdir())
      .filter((name) => name.startsWith('gantry-'))
      .map((name) => `${tmpdir()}/${name}`),
  'run directory': () =>
    entries('/run')
      .filter((name) => name.startsWith('gantry'))
      .map((name) => `/run/${name}`),
};

export function snapshot() {
  return Object.fromEntries(Object.entries(kinds).map(([kind, list]) => [kind, list()]));
}

/**
 * Lists what exists now and did not exist `before`. The kernel removes links, namespaces and cgroups shortly after their last
 * user exits, so a resource counts as leaked only when it still exists after `timeout` milliseconds.
 */
export async function leaksSince(before, timeout = 10_000) {
  const deadline = Date.now() + timeout;
  for (;;) {
    const found = difference(before, snapshot());
    if (found.length === 0 || Date.now() > deadline) return found;
    await delay(200);
  }
}

function difference(before, after) {
  return Object.keys(kinds).flatMap((kind) => {
    const known = new Map();
    for (const item of before[kind]) known.set(item, (known.get(item) ?? 0) + 1);
    return after[kind].flatMap((item) => {
      const count = known.get(item) ?? 0;
      known.set(item, count - 1);
      return count > 0 ? [] : [`${kind} ${item}${details[kind]?.(item) ?? ''}`];
    });
  });
}

/** What helps to find out where a leaked resource comes from, of the kinds whose names alone say too little. */
const details = {
  'network namespace': (namespace) => {
    const holder = networkNamespaces().get(namespace);
    return holder === undefined ? '' : ` of process ${describe(holder)}`;
  },
};

const mounts = () => lines(readFileSync('/proc/self/mountinfo', 'utf8')).map((line) => line.split(' ')[4]);

/** The namespaces that processes are in, each with its first process; other namespaces show as mounts. */
function networkNamespaces() {
  const holders = new Map();
  for (const process of processes()) {
    const namespace = link(`/proc/${process.pid}/ns/net`);
    if (namespace !== undefined && !holders.has(namespace)) holders.set(namespace, process);
  }
  return holders;
}

const describe = ({ pid, command }) => `${pid} ${command.join(' ').slice(0, 120)}`;

/** A container's monitor or runtime, or anything that runs this project's code. */
function isOurs({ command }) {
  const [program = ''] = command;
  return (
    /(^|\/)(conmon|runc|crun|gantry[^/]*)$/.test(program) ||
    command.some((word) => /\/gantryd(\.js)?$/.test(word) || (word.startsWith(`${root}/`) && word.endsWith('.js')))
  );
}

function processes() {
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`)?.split('\0').filter(Boolean);
      return command === undefined ? [] : [{ pid, command }];
    });
}

/** The topmost cgroup of the engine on each branch; its children are removed with it. */
function cgroups(folder, depth) {
  if (depth === 0) return [];
  return directories(folder).flatMap((name) =>
    name.startsWith('gantry') ? [`${folder}/${name}`] : cgroups(`${folder}/${name}`, depth - 1),
  );
}

const directories = (folder) => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return []; // removed between the two reads
  }
};

function entries(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function link(file) {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

const output = (command, args) => spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
const lines = (text) => text.split('\n').filter(Boolean);
