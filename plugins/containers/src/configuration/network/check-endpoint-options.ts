import { invalidArgument } from '@gantry/core/errors';

/**
 * Checks the options of an endpoint: kernel settings have to be settings of its interface. Others are their drivers' to read.
 * @throws EngineError `invalid-argument`, with `where` in front, naming each setting that is none.
 */
export function checkEndpointOptions(options: Readonly<Record<string, string>>, where = ''): void {
  const { 'com.docker.network.endpoint.sysctls': sysctls } = options;
  const wrong = sysctls?.split(',').filter((text) => !isOfInterface(text)) ?? [];
  if (wrong.length === 0) return;
  const bullet = wrong.length > 1 ? '* ' : '';
  const reasons = wrong.map((text) => `${bullet}unrecognised network interface sysctl '${text}'; ${expected}`);
  throw invalidArgument(`${where}invalid endpoint settings:\n${reasons.join('\n')}`);
}

const expected = "represent 'net.X.Y.ethN.Z=V' as 'net.X.Y.IFNAME.Z=V', 'X' must be 'ipv4', 'ipv6' or 'mpls'";

/** IFNAME also in lower case, as clients write it. What remains wrong shows at the start. */
const isOfInterface = (text: string): boolean => /^[^.]*\.(?:ipv4|ipv6|mpls)\.[^.]*\.(?:IFNAME|ifname)\./.test(text);
