import { invalidArgument } from '@gantry/core/errors';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { CreateBody } from '../../schema.js';
import type { Modes } from '../namespaces/namespace-modes.js';

const filled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;

/**
 * Refuses options that conflict with joining a namespace of another container or of the host.
 * @throws EngineError `invalid-argument`. @returns warnings.
 */
export function checkConflicts(body: CreateBody, { NetworkMode, UTSMode }: Modes): readonly string[] {
  const hostConfig = body.HostConfig ?? {};
  const sharesNetwork = joinedContainer(NetworkMode) !== undefined;
  const onHost = NetworkMode === 'host';
  const links = filled(hostConfig.Links);
  const publishes = filled(hostConfig.PortBindings) || hostConfig.PublishAllPorts === true;
  const conflicts: readonly (readonly [boolean, string])[] = [
    [UTSMode === 'host' && Boolean(body.Hostname), 'hostname and the UTS mode'],
    [sharesNetwork && Boolean(body.Hostname), 'hostname and the network mode'],
    [
      sharesNetwork && links,
      "container type network can't be used with links. This would result in undefined behavior",
    ],
    [onHost && links, "host type networking can't be used with links. This would result in undefined behavior"],
    [sharesNetwork && filled(hostConfig.Dns), 'dns and the network mode'],
    [sharesNetwork && filled(hostConfig.ExtraHosts), 'custom host-to-IP mapping and the network mode'],
    [(sharesNetwork || onHost) && Boolean(body.MacAddress), 'mac-address and the network mode'],
    [sharesNetwork && publishes, 'port publishing and the container type network mode'],
    [sharesNetwork && filled(body.ExposedPorts), 'port exposing and the container type network mode'],
  ];
  for (const [isThere, words] of conflicts) if (isThere) throw invalidArgument(`conflicting options: ${words}`);
  return onHost && publishes ? ['Published ports are discarded when using host network mode'] : [];
}
