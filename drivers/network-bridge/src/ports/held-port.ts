import type { PublishedPort } from '@gantry/core/contracts';

/** Where connections to a published port are relayed to. */
export interface Target {
  readonly address: string;
  readonly port: number;
}

/** A reserved port of the host: no other process can bind it. */
export interface HeldPort {
  readonly published: PublishedPort;
  /**
   * Relays what arrives at the socket itself. That is what the NAT rules do not match: IPv6 where the container has no
   * IPv6 address, and everything while the rules are missing.
   */
  serve(target: Target): void;
  /** Releases the port and closes what is being relayed. */
  close(): void;
}
