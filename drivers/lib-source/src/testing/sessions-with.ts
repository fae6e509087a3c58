import { type Launcher, SpawnLauncher } from '@gantry/lib-linux/launcher';
import { kernelProcesses } from '@gantry/lib-linux/processes';
import { GitConvertedRepositories } from '../repository/converted-repositories.js';
import { SourceSessions } from '../session/source-sessions.js';

/** Sessions for a driver that is constructed directly. */
export const sessionsWith = (launcher: Launcher = new SpawnLauncher()): SourceSessions =>
  new SourceSessions(launcher, kernelProcesses);

export const convertedRepositories = new GitConvertedRepositories(new SpawnLauncher(), kernelProcesses);
