import { isIP } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';

/** One of Placement.Constraints: `node.labels.disk==ssd`. */
export interface Constraint {
  readonly key: string;
  readonly operator: '==' | '!=';
  readonly value: string;
}

const keyPattern = /^[a-z_][a-z0-9\-_.]+$/i;
const valuePattern = /^[a-z0-9:\-_\s.*()?+[\]\\^$|/]+$/i;
const knownKeys = /^(?:node\.(?:id|hostname|ip|role|platform\.os|platform\.arch|labels\..+)|engine\.labels\..+)$/i;

/** Whether it names an attribute of nodes. */
export const isNodeAttribute = (key: string): boolean => knownKeys.test(key);

/** @throws EngineError `invalid-argument`. */
export function parseConstraint(text: string): Constraint {
  const [, key = '', operator, value = ''] = /^(.*?)(==|!=)(.*)$/s.exec(text) ?? [];
  if (operator === undefined)
    throw invalidArgument(`Placement.Constraints: "${text}": constraint expected one operator from ==, !=`);
  const [name, wanted] = [key.trim(), value.trim()];
  if (!keyPattern.test(name)) throw invalidArgument(`Placement.Constraints: "${text}": key '${name}' is invalid`);
  if (!knownKeys.test(name)) {
    throw invalidArgument(
      `Placement.Constraints: "${text}": key '${name}' is none of node.id, node.hostname, node.ip, node.role, ` +
        'node.platform.os, node.platform.arch, node.labels.NAME and engine.labels.NAME',
    );
  }
  if (!valuePattern.test(wanted))
    throw invalidArgument(`Placement.Constraints: "${text}": value '${wanted}' is invalid`);
  if (name.toLowerCase() === 'node.ip' && !isAddressOrSubnet(wanted)) {
    throw invalidArgument(
      `Placement.Constraints: "${text}": value '${wanted}' is neither an address nor a subnet such as 10.1.0.0/16`,
    );
  }
  return { key: name, operator: operator as Constraint['operator'], value: wanted };
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...others] = text.split('/');
  const family = isIP(address);
  if (family === 0 || others.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32));
}
