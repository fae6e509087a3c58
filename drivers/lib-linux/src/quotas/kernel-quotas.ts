import { type FileHandle, open } from 'node:fs/promises';
import { isErrno } from '../errors/linux-error.js';
import { isInUserNamespace } from '../host/user-namespace.js';
import { filesystemStatus } from '../mounts/filesystem-status.js';
import { projectOf, setProject } from './project-of.js';
import { enforcesLimits, isUsed, setLimit } from './quota-commands.js';
import type { ProjectQuotas } from './quotas.js';

/** Far from the small numbers that administrators choose. */
const firstProject = 0x47_0000;
/** Given to directories that have nothing in them yet. */
let nextProject = firstProject;

async function withDirectory<T>(directory: string, work: (handle: FileHandle) => T): Promise<T> {
  const handle = await open(directory, 'r');
  try {
    return work(handle);
  } finally {
    await handle.close();
  }
}

async function unavailableReason(directory: string): Promise<string | undefined> {
  const { type } = await filesystemStatus(directory);
  // The kernel shows everyone that limits are enforced, and lets only root of the host set one.
  if (isInUserNamespace()) return `only root of the host can limit what is in ${directory}`;
  if (await withDirectory(directory, ({ fd }) => enforcesLimits(fd))) return undefined;
  return `${directory} is on ${type} without project quotas: they need Linux 5.14, and ext4 or XFS mounted with prjquota`;
}

async function limit(directory: string, bytes: number): Promise<void> {
  await withDirectory(directory, ({ fd }) => {
    while (isUsed(fd, nextProject)) nextProject += 1;
    const project = nextProject;
    nextProject += 1;
    setLimit(fd, directory, project, bytes);
    try {
      setProject(fd, directory, project);
    } catch (error) {
      setLimit(fd, directory, project, 0);
      throw error;
    }
  });
}

async function release(directory: string): Promise<void> {
  try {
    await withDirectory(directory, ({ fd }) => {
      const project = projectOf(fd, directory);
      if (project >= firstProject) setLimit(fd, directory, project, 0);
    });
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTTY', 'EOPNOTSUPP', 'ENOSYS', 'ESRCH')) throw error;
  }
}

export const kernelQuotas: ProjectQuotas = { unavailableReason, limit, release };
