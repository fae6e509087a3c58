import { type LogDriver, LogDrivers } from '@gantry/core/contracts';
import { Config, type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { Image } from '@gantry/images/service';
import { NetworkService } from '@gantry/networks/service';
import { checkDeviceRequests } from '../cdi/requested-devices.js';
import type { ContainersConfig } from '../containers-config.js';
import { HostFacts } from '../host/host-facts.js';
import type { ContainerConfigBody, CreateBody, HostConfig, Mount } from '../schema.js';
import { parseSignal } from '../signals.js';
import { ContainerStore } from '../store/container-store.js';
import { checkRange, type HostConfigCheck } from '../validation/host-config-check.js';
import { namedContainers } from '../validation/named-containers.js';
import { readConsoleSize } from '../validation/read-console-size.js';
import { checkHealthcheck } from './check-healthcheck.js';
import { checkInit } from './check-init.js';
import { checkPlatform } from './check-platform.js';
import { resolveProgram } from './command-line.js';
import { completeLogConfig } from './complete-log-config.js';
import { imageDefaults } from './image-defaults.js';
import { mergeImage } from './merge-image.js';
import { prepareMounts } from './mounts/prepare-mounts.js';
import { checkUserNamespace } from './namespaces/check-user-namespace.js';
import { checkWithoutCgroups } from './namespaces/check-without-cgroups.js';
import { resolveModes } from './namespaces/namespace-modes.js';
import { checkConflicts } from './network/check-conflicts.js';
import { chooseNetworks } from './network/choose-networks.js';
import { completeLinks } from './network/complete-links.js';
import { hostIdentity } from './network/host-identity.js';
import { checkDomainname, checkHostname, checkMacAddress, checkNameFiles } from './network/host-names.js';
import { exposedPorts, imagePorts, portBindings } from './network/ports.js';
import { OfferedRuntimes } from './offered-runtimes.js';
import type { PreparedContainer } from './prepared-container.js';
import { checkBlkio } from './resources/check-blkio.js';
import { checkOomScore } from './resources/check-oom-score.js';
import { checkPids } from './resources/check-pids.js';
import { checkShmSize } from './resources/check-shm-size.js';
import { checkUlimits } from './resources/check-ulimits.js';
import { checkCpu, checkCpuset } from './resources/cpu.js';
import { checkMemory, defaultSwap } from './resources/memory.js';
import { checkAutoRemove, checkRestartPolicy } from './restart-policy.js';
import { checkCapabilities } from './security/check-capabilities.js';
import { checkDevices } from './security/check-devices.js';
import { checkSecurityOptions } from './security/check-security-options.js';
import { checkSysctls } from './security/check-sysctls.js';
import { checkGroupAdd, checkUserIds } from './security/user-ids.js';

/** In this order: modes are resolved before, and seccomp profiles depend on capabilities. */
const checks: readonly HostConfigCheck[] = [
  defaultSwap,
  checkMemory,
  checkOomScore,
  checkCpu,
  checkCpuset,
  checkBlkio,
  checkPids,
  checkShmSize,
  checkUlimits,
  checkGroupAdd,
  checkSysctls,
  checkCapabilities,
  checkSecurityOptions,
  checkDevices,
  checkNameFiles,
  checkPlatform,
  checkUserNamespace,
  checkWithoutCgroups,
  checkDeviceRequests,
];

/** What a client means that does not say it. */
export interface CreateDefaults {
  /** IPC that other containers cannot join; default false. */
  readonly privateIpc?: boolean;
  /** Read-only binds with everything that is mounted below them, where the kernel can; default false. */
  readonly recursiveReadOnly?: boolean;
  /** NetworkMode and RestartPolicy are kept as the network and the policy that they stand for; default false. */
  readonly namedDefaults?: boolean;
  /** Mounts that the client did not ask for, and is not shown. */
  readonly hiddenMounts?: readonly Mount[];
}

/** Checks and completes the configuration of a new container, before any of it is created. */
@injectable()
export class CreateConfigurator {
  constructor(
    @inject(HostFacts) private readonly host: HostFacts,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'lookup'>,
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>,
    @inject(LogDrivers.token) private readonly logDrivers: DriverSet<LogDriver>,
    @inject(OfferedRuntimes) private readonly runtimes: Pick<OfferedRuntimes, 'check'>,
    @inject(Config) private readonly config: Pick<ContainersConfig, 'initPath'>,
  ) {}

  /**
   * @param id of the container to be: the default of Hostname.
   * @throws EngineError `invalid-argument`, also for an absent container that the body names; `conflict` for one that
   * does not share its IPC.
   */
  prepare(
    body: CreateBody,
    image: Pick<Image, 'config'>,
    id: string,
    { hiddenMounts = [], privateIpc = false, recursiveReadOnly = false, namedDefaults = false }: CreateDefaults = {},
  ): PreparedContainer {
    const containers = namedContainers(this.store.lookup);
    checkConfig(body);
    const { HostConfig: _host, NetworkingConfig: _networking, ...own } = body;
    const wanted = { ...own, ExposedPorts: exposedPorts(own.ExposedPorts ?? {}) };
    const defaults = imageDefaults(image.config);
    const merged = mergeImage(wanted, { ...defaults, ExposedPorts: imagePorts(defaults.ExposedPorts ?? {}) });
    checkWorkingDirectory(merged.WorkingDir);
    const { path, args } = resolveProgram(merged.Entrypoint, merged.Cmd);
    const requested = resolveModes(withIpcMode(body.HostConfig, privateIpc), containers, this.networks);
    const { networks, NetworkMode } = chooseNetworks(body, requested.NetworkMode, this.networks);
    const modes = { ...requested, NetworkMode: namedDefaults && NetworkMode === 'default' ? 'bridge' : NetworkMode };
    const warnings = [...checkConflicts(body, modes)];
    const config = { ...merged, ...hostIdentity(merged, modes, { id, containers }, this.host.hostname) };
    const linksByName = !('bridge' in networks);
    const completed = this.#complete({ ...body.HostConfig, ...modes }, warnings);
    const { Links } = completed;
    const hostConfig = {
      ...completed,
      ...(Links !== undefined && { Links: completeLinks(Links, containers, { byName: linksByName }) }),
      ...(namedDefaults && !completed.RestartPolicy?.Name && { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } }),
    };
    return {
      path,
      args,
      config,
      hostConfig,
      networks,
      mounts: prepareMounts(config, hostConfig, containers, {
        recursiveReadOnly: recursiveReadOnly && this.host.recursiveReadOnly,
        canForce: this.host.recursiveReadOnly,
        hidden: hiddenMounts,
      }),
      warnings,
    };
  }

  #complete(given: HostConfig, warnings: string[]): HostConfig {
    checkRestartPolicy(given.RestartPolicy);
    checkAutoRemove(given.AutoRemove, given.RestartPolicy);
    this.runtimes.check(given);
    readConsoleSize(given.ConsoleSize);
    checkAnnotations(given.Annotations);
    const context = { host: this.host, warn: (message: string) => warnings.push(message) };
    checkInit(given, this.config.initPath, context.warn);
    let hostConfig = given;
    for (const check of checks) hostConfig = check(hostConfig, context);
    const { PortBindings } = hostConfig;
    return {
      ...hostConfig,
      ...(PortBindings !== undefined && { PortBindings: portBindings(PortBindings) }),
      LogConfig: completeLogConfig(hostConfig, this.logDrivers),
    };
  }
}

const withIpcMode = (hostConfig: HostConfig | undefined, isPrivate: boolean): HostConfig | undefined =>
  isPrivate && !hostConfig?.IpcMode ? { ...hostConfig, IpcMode: 'private' } : hostConfig;

function checkConfig(body: ContainerConfigBody): void {
  checkHostname(body.Hostname ?? '');
  checkDomainname(body.Domainname ?? '');
  checkMacAddress(body.MacAddress);
  checkHealthcheck(body.Healthcheck);
  checkUserIds('User', body.User ?? '');
  if (body.StopSignal !== undefined && body.StopSignal !== '') parseSignal(body.StopSignal);
  checkRange('StopTimeout', body.StopTimeout, -1, Number.MAX_SAFE_INTEGER);
  for (const entry of body.Env ?? []) {
    if (entry === '' || entry.startsWith('=')) throw invalidArgument(`Env: invalid environment variable: ${entry}`);
  }
}

function checkWorkingDirectory(directory = ''): void {
  if (directory === '' || directory.startsWith('/')) return;
  throw invalidArgument(`WorkingDir: the working directory '${directory}' is invalid, it needs to be an absolute path`);
}

function checkAnnotations(annotations: HostConfig['Annotations'] = {}): void {
  const value = annotations[''];
  if (value !== undefined) throw invalidArgument(`Annotations: "${value}" has the empty string as its key`);
}
