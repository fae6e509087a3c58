import { addressBody } from './address-messages.js';
import * as rt from './constants.js';
import {
  bridgeBody,
  bridgePortBody,
  groupBody,
  groupedLinkBody,
  linkBody,
  linkChangeBody,
  newLinkBody,
  type Resolve,
} from './link-messages.js';
import { neighbourBody } from './neighbour-messages.js';
import type {
  BridgeOptions,
  BridgePortChange,
  LinkChange,
  LinkReference,
  NeighbourChange,
  NetworkChanges,
  NewAddress,
  NewLink,
  RouteChange,
  RoutingRule,
} from './netlink.js';
import type { Request } from './netlink-transport.js';
import { routeBody } from './route-messages.js';
import { ruleBody } from './rule-messages.js';

const create = rt.NLM_F_CREATE | rt.NLM_F_EXCL;
const replace = rt.NLM_F_CREATE | rt.NLM_F_REPLACE;

/** The group of links that are about to be deleted; an unlikely number, to avoid collisions. */
const deletionGroup = 0x646f_6f6d;

const named = (link: LinkReference) => (typeof link === 'number' ? { index: link } : { name: link });

/** Turns each change into a request and hands it on. */
export class RecordedChanges implements NetworkChanges {
  constructor(
    private readonly record: (request: Request) => void,
    private readonly resolve: Resolve,
  ) {}

  addLink(link: NewLink): void {
    this.#record(rt.RTM_NEWLINK, create, newLinkBody(link, this.resolve), link.name);
  }

  deleteLink(link: LinkReference): void {
    this.#record(rt.RTM_DELLINK, 0, linkBody(named(link)), link);
  }

  deleteLinks(links: readonly LinkReference[]): void {
    const [only, ...others] = links;
    if (only === undefined) return;
    if (others.length === 0) {
      this.deleteLink(only);
      return;
    }
    for (const link of links) this.#record(rt.RTM_NEWLINK, 0, groupedLinkBody(named(link), deletionGroup), link);
    this.#record(rt.RTM_DELLINK, 0, groupBody(deletionGroup), links.join(' '));
  }

  setLink(link: LinkReference, change: LinkChange): void {
    this.#record(rt.RTM_NEWLINK, 0, linkChangeBody(this.resolve(link), change, this.resolve), link);
  }

  setBridge(link: LinkReference, options: BridgeOptions): void {
    this.#record(rt.RTM_NEWLINK, 0, bridgeBody(this.resolve(link), options), link);
  }

  setBridgePort(link: LinkReference, change: BridgePortChange): void {
    this.#record(rt.RTM_SETLINK, 0, bridgePortBody(this.resolve(link), change), link);
  }

  addAddress(link: LinkReference, address: NewAddress | string): void {
    const whole = typeof address === 'string' ? { address } : address;
    this.#record(rt.RTM_NEWADDR, create, addressBody(this.resolve(link), whole), `${link} ${whole.address}`);
  }

  deleteAddress(link: LinkReference, address: string): void {
    this.#record(rt.RTM_DELADDR, 0, addressBody(this.resolve(link), { address }), `${link} ${address}`);
  }

  addRoute(route: RouteChange): void {
    this.#record(rt.RTM_NEWROUTE, create, routeBody(route, this.resolve, 'add'), route.destination);
  }

  replaceRoute(route: RouteChange): void {
    this.#record(rt.RTM_NEWROUTE, replace, routeBody(route, this.resolve, 'add'), route.destination);
  }

  deleteRoute(route: RouteChange): void {
    this.#record(rt.RTM_DELROUTE, 0, routeBody(route, this.resolve, 'delete'), route.destination);
  }

  addRule(rule: RoutingRule): void {
    this.#record(rt.RTM_NEWRULE, create, ruleBody(rule), `rule ${rule.priority}`);
  }

  deleteRule(rule: RoutingRule): void {
    this.#record(rt.RTM_DELRULE, 0, ruleBody(rule), `rule ${rule.priority}`);
  }

  addNeighbour(neighbour: NeighbourChange): void {
    const body = neighbourBody(this.resolve(neighbour.link), neighbour);
    // Several machines may be behind the one address for unknown destinations.
    const isDefault = neighbour.table === 'bridge' && /^(00[:-]){5}00$/.test(neighbour.macAddress);
    const flags = isDefault ? rt.NLM_F_CREATE | rt.NLM_F_APPEND : replace;
    this.#record(rt.RTM_NEWNEIGH, flags, body, neighbour.address ?? neighbour.macAddress);
  }

  deleteNeighbour(neighbour: NeighbourChange): void {
    const body = neighbourBody(this.resolve(neighbour.link), neighbour);
    this.#record(rt.RTM_DELNEIGH, 0, body, neighbour.address ?? neighbour.macAddress);
  }

  #record(type: number, flags: number, body: Buffer, about: LinkReference): void {
    this.record({ type, flags, body, about: `${about}` });
  }
}
