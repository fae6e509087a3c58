import { X509Certificate } from 'node:crypto';
import {
  type CertificateAuthorityDriver,
  CertificateAuthorityDrivers,
  type PublicRoot,
  type RootCertificate,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, kindOf, messageOf } from '@gantry/core/errors';
import { newRootCa } from '../keys/new-root-ca.js';
import { seal, unseal } from '../keys/seal.js';
import type { RootCa, SigningRoot } from '../records/cluster-kind.js';

/** The root certificate that a client wants. */
export interface WantedRoot {
  /** PEM; absent: one that the engine makes. */
  readonly given?: {
    readonly certificate: string /** Undefined: an external authority has it. */;
    readonly key: string | undefined;
  };
  /** Another number than that of the present root asks for a new one. */
  readonly forceRotate: number;
}

const leastValidity = 365 * 24 * 3600 * 1000;

/** Makes the root certificates of swarms, and prepares their rotation. */
@injectable()
export class RootCertificates {
  constructor(
    @inject(CertificateAuthorityDrivers.token) private readonly authorities: DriverSet<CertificateAuthorityDriver>,
  ) {}

  /**
   * Of a new swarm. Rejects `invalid-argument` naming the field.
   * @param key that secrets of the swarm are sealed with.
   */
  async create(key: Buffer, wanted: WantedRoot): Promise<RootCa> {
    if (wanted.given !== undefined && wanted.given.key === undefined) {
      throw invalidArgument(
        'CAConfig.SigningCACert: without CAConfig.SigningCAKey: external authorities know a swarm by its certificates,' +
          ' so that it begins with a root whose key it has, and is updated then',
      );
    }
    return { ...sealed(key, await this.#make(wanted)), ...numbered(wanted) };
  }

  /**
   * The root as it is from now on: unchanged; with a successor, which takes over when every node has a certificate of it; or
   * without the successor that it had, when a client gives the present root. Rejects `invalid-argument` naming the field.
   */
  async replace(key: Buffer, present: RootCa, wanted: WantedRoot): Promise<RootCa> {
    if (wanted.given === undefined && wanted.forceRotate === (present.forcedRotation ?? 0)) return present;
    const root = await this.#make(wanted);
    const { next, ...current } = present;
    const own = sealed(key, root);
    if (root.certificate === current.certificate) return { ...withoutKey(current), ...own, ...numbered(wanted) };
    if (root.certificate === next?.certificate) {
      return { ...present, next: { ...withoutKey(next), ...own }, ...numbered(wanted) };
    }
    // OpenSSL and others find two certificates of one key ambiguous when they look for the way to a root.
    if (root.publicKey === current.publicKey) {
      throw invalidArgument('CAConfig.SigningCACert: Cannot update to a cert with an identical key');
    }
    if (current.key === undefined) {
      throw invalidArgument(
        'CAConfig.SigningCACert: the key of the present root, which has to sign the next one, is at an external authority:' +
          ' give the present root with its key first',
      );
    }
    const issuer = { ...current, key: unseal(key, current.key).toString() };
    // Nodes that trust only the root before the present one are led there, too.
    const chain = (await this.authorities.get().crossSign(root, issuer)) + (current.chain ?? '');
    return { ...current, next: { ...own, chain }, ...numbered(wanted) };
  }

  async #make({ given }: WantedRoot): Promise<RootCertificate | PublicRoot> {
    if (given === undefined) return newRootCa(this.authorities.get());
    if (given.certificate.split('-----BEGIN CERTIFICATE-----').length > 2) {
      throw invalidArgument('CAConfig.SigningCACert: the desired CA certificate cannot contain multiple certificates');
    }
    const root = await this.#import(given.certificate, given.key);
    if (Date.parse(new X509Certificate(root.certificate).validTo) < Date.now() + leastValidity) {
      throw invalidArgument('CAConfig.SigningCACert: CA certificate expires too soon, in less than a year');
    }
    return root;
  }

  async #import(certificate: string, key: string | undefined): Promise<RootCertificate | PublicRoot> {
    const authority = this.authorities.get();
    try {
      return await (key === undefined
        ? authority.importRoot(certificate, key)
        : authority.importRoot(certificate, key));
    } catch (cause) {
      if (kindOf(cause) !== 'invalid-argument') throw cause;
      throw invalidArgument(`CAConfig.SigningCACert: ${messageOf(cause)}`, { cause });
    }
  }
}

const sealed = (key: Buffer, root: RootCertificate | PublicRoot): SigningRoot =>
  'key' in root ? { ...root, key: seal(key, Buffer.from(root.key)) } : root;

function withoutKey<T extends SigningRoot>({ key: _key, ...root }: T): Omit<T, 'key'> {
  return root;
}

const numbered = ({ forceRotate }: WantedRoot) => ({ forcedRotation: forceRotate });
