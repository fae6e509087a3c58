import { isIP } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';
import { type HostConfigCheck, hasBlank } from '../../validation/host-config-check.js';

/** Of the kernel's host and domain names. */
const longest = 64;

const label = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

/** By RFC 1123, and with underscores, which services of stacks have in their names. @throws EngineError `invalid-argument`. */
export function checkHostname(name: string): void {
  if (name === '') return;
  if (name.length > longest || !name.split('.').every((part) => label.test(part))) {
    throw invalidArgument(`Hostname: invalid hostname format: ${name}`);
  }
}

/** @throws EngineError `invalid-argument`. */
export function checkDomainname(name: string): void {
  if (name.length > longest || hasBlank(name)) throw invalidArgument(`Domainname: invalid domain name: ${name}`);
}

/** Dns, DnsSearch, DnsOptions and ExtraHosts: all of them become lines of files. */
export const checkNameFiles: HostConfigCheck = (wish) => {
  for (const address of wish.Dns ?? []) {
    if (isIP(address) === 0) throw invalidArgument(`Dns: IP address was not correctly formatted: ${address}`);
  }
  for (const domain of wish.DnsSearch ?? []) {
    if (hasBlank(domain)) throw invalidArgument(`DnsSearch: ${domain} is not a valid domain`);
  }
  for (const option of wish.DnsOptions ?? []) {
    if (option === '' || hasBlank(option)) throw invalidArgument(`DnsOptions: invalid option: "${option}"`);
  }
  for (const entry of wish.ExtraHosts ?? []) checkExtraHost(entry);
  return wish;
};

/** `name:address`, where `host-gateway` stands for the address of the host. */
function checkExtraHost(entry: string): void {
  const cut = entry.indexOf(':');
  const name = entry.slice(0, cut);
  const address = entry.slice(cut + 1);
  if (cut < 1 || hasBlank(name)) throw invalidArgument(`ExtraHosts: bad format for add-host: "${entry}"`);
  if (address !== 'host-gateway' && isIP(address) === 0) {
    throw invalidArgument(`ExtraHosts: invalid IP address in add-host: "${address}"`);
  }
}

/** @throws EngineError `invalid-argument`. */
export function checkMacAddress(text: string | undefined): void {
  if (!text) return;
  if (!/^[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}$/i.test(text)) {
    throw invalidArgument(`MacAddress: invalid MAC address: ${text}`);
  }
  if ((Number.parseInt(text.slice(0, 2), 16) & 1) === 1) {
    throw invalidArgument(`MacAddress: ${text} is an address of a group, which no interface can have`);
  }
}
