import { LinuxError } from '../errors/linux-error.js';
import { POSIX_SPAWN_SETSID, POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK } from '../ffi/constants.js';
import { library, type NativeFunction, once } from '../ffi/native.js';
import { StringVector } from './string-vector.js';

/** The arguments of posix_spawn(3): the path resolved, the environment complete. */
interface SpawnCall {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string | undefined;
  readonly fds: ReadonlyMap<number, number>;
  readonly newSession: boolean;
}

/** Larger than the structures of any C library. */
const structureBytes = 1024;
const O_RDWR = 2;

/**
 * Starts a program on a thread of the pool, which the kernel suspends until the program has been executed: nothing of
 * this process is copied, and the event loop goes on. @returns the pid; rejects LinuxError.
 */
export async function spawn(call: SpawnCall): Promise<number> {
  const { posixSpawn } = functions();
  const pid = new Int32Array(1);
  const path = Buffer.from(`${call.path}\0`);
  const args = new StringVector(call.args);
  const env = new StringVector(call.env);
  const actions = new FileActions(call.fds, call.cwd);
  try {
    const error = await new Promise<number>((resolve, reject) => {
      posixSpawn.async(
        pid,
        path,
        actions.memory,
        attributes(call.newSession),
        args.pointers,
        env.pointers,
        (failure: unknown, result: unknown) => {
          if (failure !== null && failure !== undefined) reject(failure);
          else resolve(result as number);
        },
      );
    });
    if (error !== 0) throw new LinuxError(error, 'posix_spawn', { path: call.path });
  } finally {
    actions.destroy();
    args.bytes.fill(0);
    env.bytes.fill(0);
  }
  return pid[0] ?? -1;
}

/** Which descriptors the program gets, and where it starts. */
class FileActions {
  readonly memory = Buffer.alloc(structureBytes);

  constructor(fds: ReadonlyMap<number, number>, cwd: string | undefined) {
    const { init, addDup2, addOpen, addClose, addCloseFrom, addChangeDirectory } = functions();
    init(this.memory);
    const targets = [...fds.keys()];
    const last = Math.max(2, ...targets);
    // First above everything that is named: a number may be one's source and another's target.
    const shelf = Math.max(last, ...fds.values()) + 1;
    for (const [index, source] of [...fds.values()].entries()) addDup2(this.memory, source, shelf + index);
    for (const [index, target] of targets.entries()) addDup2(this.memory, shelf + index, target);
    for (let fd = 0; fd <= last; fd += 1) {
      if (fds.has(fd)) continue;
      if (fd <= 2) addOpen(this.memory, fd, '/dev/null', O_RDWR, 0);
      else addClose(this.memory, fd);
    }
    if (addCloseFrom !== undefined) addCloseFrom(this.memory, last + 1);
    else for (const index of targets.keys()) addClose(this.memory, shelf + index);
    if (cwd !== undefined) addChangeDirectory(this.memory, cwd);
  }

  destroy(): void {
    functions().destroy(this.memory);
  }
}

/** All signals as they are in a new program: Node ignores SIGPIPE, which a program would inherit. */
const sharedAttributes = (newSession: boolean) =>
  once(() => {
    const { initAttributes, setFlags, setDefaults, setMask } = functions();
    const memory = Buffer.alloc(structureBytes);
    initAttributes(memory);
    setDefaults(memory, Buffer.alloc(128, 0xff));
    setMask(memory, Buffer.alloc(128, 0));
    setFlags(memory, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (newSession ? POSIX_SPAWN_SETSID : 0));
    return memory;
  });
const withSession = sharedAttributes(true);
const withoutSession = sharedAttributes(false);
const attributes = (newSession: boolean): Buffer => (newSession ? withSession() : withoutSession());

const functions = once(() => {
  const libc = library(null);
  const declare = (definition: string): NativeFunction => libc.func(definition) as unknown as NativeFunction;
  const ifThere = (definition: string): NativeFunction | undefined => {
    try {
      return declare(definition);
    } catch {
      return undefined;
    }
  };
  const actions = 'posix_spawn_file_actions';
  const attribute = 'posix_spawnattr';
  return {
    posixSpawn: declare('int posix_spawn(void *pid, const void *path, void *fa, void *attr, void *argv, void *envp)'),
    init: declare(`int ${actions}_init(void *fa)`),
    destroy: declare(`int ${actions}_destroy(void *fa)`),
    addDup2: declare(`int ${actions}_adddup2(void *fa, int from, int to)`),
    addOpen: declare(`int ${actions}_addopen(void *fa, int fd, const char *path, int flags, uint mode)`),
    addClose: declare(`int ${actions}_addclose(void *fa, int fd)`),
    addChangeDirectory: declare(`int ${actions}_addchdir_np(void *fa, const char *path)`),
    // Since glibc 2.34. Everything of Node's is closed on exec anyway; this is for what libraries open.
    addCloseFrom: ifThere(`int ${actions}_addclosefrom_np(void *fa, int from)`),
    initAttributes: declare(`int ${attribute}_init(void *attr)`),
    setFlags: declare(`int ${attribute}_setflags(void *attr, short flags)`),
    setDefaults: declare(`int ${attribute}_setsigdefault(void *attr, const void *set)`),
    setMask: declare(`int ${attribute}_setsigmask(void *attr, const void *set)`),
  };
});
