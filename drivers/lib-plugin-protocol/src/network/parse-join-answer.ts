import { isIP } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';
import { asList, asObject, asText, type PluginAnswer } from '../client/plugin-answer.js';

/** A plugin's answer to `NetworkDriver.Join`. */
export interface JoinAnswer {
  /** The host interface to move into the sandbox; undefined when the plugin places one itself. */
  readonly sourceName: string | undefined;
  /** Prefix of the interface's name in the sandbox. */
  readonly prefix: string | undefined;
  readonly gateway: string | undefined;
  readonly ipv6Gateway: string | undefined;
  readonly routes: readonly StaticRoute[];
}

interface StaticRoute {
  /** CIDR. */
  readonly destination: string;
  /** Undefined: the destination is on the link. */
  readonly nextHop: string | undefined;
}

/** @throws EngineError `invalid-argument` naming an invalid value. */
export function parseJoinAnswer(answer: PluginAnswer): JoinAnswer {
  const names = asObject(answer.InterfaceName);
  return {
    sourceName: interfaceName('SrcName', asText(names?.SrcName)),
    prefix: interfaceName('DstPrefix', asText(names?.DstPrefix)),
    gateway: address('Gateway', asText(answer.Gateway)),
    ipv6Gateway: address('GatewayIPv6', asText(answer.GatewayIPv6)),
    routes: asList(answer.StaticRoutes).map(parseRoute),
  };
}

function parseRoute(value: unknown): StaticRoute {
  const fields = asObject(value);
  const destination = asText(fields?.Destination) ?? '';
  const [base = '', length = ''] = destination.split('/');
  if (isIP(base) === 0 || !/^\d+$/.test(length)) throw wrong('StaticRoutes.Destination', destination);
  return { destination, nextHop: address('StaticRoutes.NextHop', asText(fields?.NextHop)) };
}

function interfaceName(field: string, name: string | undefined): string | undefined {
  if (name === undefined || /^[^/\s:]{1,15}$/.test(name)) return name;
  throw wrong(field, name);
}

function address(field: string, text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) > 0) return text;
  throw wrong(field, text);
}

const wrong = (field: string, value: string) =>
  invalidArgument(`NetworkDriver.Join: the plugin answered ${field} "${value}"`);
