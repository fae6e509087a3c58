import type { PublishedPort } from '@gantry/core/contracts';

/** Where connections to a published port go in the end. */
export interface Target {
  readonly address: string;
  readonly port: number;
}

/** A port of the host that nobody else can take. */
export interface HeldPort {
  readonly published: PublishedPort;
  /**
   * Answers what reaches the port itself, by handing it on. That is what the rules of the kernel do not lead away:
   * IPv6 where the container has none, and everything while the rules are gone.
   */
  serve(target: Target): void;
  /** Gives the port back, and ends what is being handed on. */
  close(): void;
}
