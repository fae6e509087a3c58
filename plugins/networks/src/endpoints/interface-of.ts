import type { InterfaceSysctl, JoinRequest } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';

/** The options of an endpoint that the engine itself knows, whichever driver its network has. */
const nameOption = 'com.docker.network.endpoint.ifname';
const sysctlsOption = 'com.docker.network.endpoint.sysctls';

/**
 * What an endpoint's options ask of its interface. They were accepted when they were stored, as their clients expect; what is
 * wrong with them fails the start. @throws EngineError `internal`.
 */
export function interfaceOf(
  options: Readonly<Record<string, string>> | undefined,
): Pick<JoinRequest, 'options' | 'sysctls'> & { readonly chosenName?: string } {
  if (options === undefined || Object.keys(options).length === 0) return {};
  const { [nameOption]: chosenName = '', [sysctlsOption]: sysctls } = options;
  if (chosenName !== '' && !isName(chosenName)) throw internal(`invalid interface name "${chosenName}"`);
  return {
    options,
    ...(chosenName !== '' && { chosenName }),
    ...(sysctls !== undefined && { sysctls: sysctls.split(',').map(parseSysctl) }),
  };
}

/** What the kernel takes as the name of an interface. */
const isName = (text: string): boolean =>
  /^[^\s/:]+$/.test(text) && Buffer.byteLength(text) <= 15 && !['.', '..'].includes(text);

function parseSysctl(text: string): InterfaceSysctl {
  const cut = text.indexOf('=');
  if (cut < 0) throw internal(`expected sysctl '${text}' to have format name=value`);
  const parts = text.slice(0, cut).split('.');
  if (parts.length !== 5) throw internal(`expected sysctl '${text}' to have format net.X.Y.IFNAME.Z`);
  const [root, ...others] = parts.map((part) => (part === 'ifname' ? 'IFNAME' : part));
  // Nothing may lead out of the settings of the network namespace.
  if (root !== 'net' || !others.every((part) => /^[\w-]+$/.test(part))) {
    throw internal(`/proc/sys/${parts.join('/')} is not a sysctl file`);
  }
  return { name: [root, ...others].join('.'), value: text.slice(cut + 1) };
}
