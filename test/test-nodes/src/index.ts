export { type Daemon, removeCgroups, type Scope, startDaemon } from './daemon/daemon.js';
export type { DaemonOptions } from './daemon/daemon-options.js';
export { DaemonProcess, ownProgram, untilAnswering } from './daemon/daemon-process.js';
export { type ProcessUsage, usageOf } from './daemon/process-usage.js';
export { loseEverything, processesNaming } from './daemon/reboot.js';
export { eventually } from './eventually.js';
export { otherClock } from './faults/other-clock.js';
export type { Partition } from './faults/partition.js';
export { type SwarmNode, startNodes } from './nodes/start-nodes.js';
export { ProgramScope } from './program-scope.js';
export { runProgram } from './run-program.js';
export { cut, partitionKinds, type Roles } from './swarm/partition-kinds.js';
export {
  changeRole,
  heartbeatPeriod,
  joinThrough,
  type ListedNode,
  leaderOf,
  managerDrivers,
  managersOf,
  rolesOf,
  runningTasks,
  startManagers,
  startSwarmOf,
  untilManagers,
} from './swarm/start-managers.js';
export {
  nodeOf,
  nodesOf,
  rootRotated,
  rotateRoot,
  running,
  type Swarm,
  startSwarm,
  type Task,
} from './swarm/start-swarm.js';
