import { readFile } from 'node:fs/promises';
import { isErrno } from '../errors/linux-error.js';
import { sealedMemory } from '../files/sealed-memory.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';

/** Since Linux 6.3. Without it the kernel may make memory that cannot be executed. */
const MFD_EXEC = 0x10;

/** A copy of a program in memory, which nothing can change. */
export interface SealedProgram {
  /** Any process of this process's pid namespace can execute it, until it is closed or this process has ended. */
  readonly path: string;
  close(): void;
}

/** Copies a program. Rejects when it cannot be read. Whether the kernel executes memory is found out by executing it. */
export async function sealedProgram(file: string): Promise<SealedProgram> {
  const fd = executableMemory(await readFile(file), `gantry-${file.slice(file.lastIndexOf('/') + 1)}`);
  return { path: `/proc/${process.pid}/fd/${fd}`, close: () => closeDescriptor(fd) };
}

function executableMemory(bytes: Uint8Array, name: string): number {
  try {
    return sealedMemory(bytes, name, MFD_EXEC);
  } catch (error) {
    if (!isErrno(error, 'EINVAL')) throw error;
    return sealedMemory(bytes, name);
  }
}
