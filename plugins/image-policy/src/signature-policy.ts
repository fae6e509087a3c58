import { type KeyObject, verify } from 'node:crypto';
import { inject, injectable, isRecord } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import type { ArchivePolicy, ArchiveTransport } from '@gantry/images/service';
import type { AttachedSignature, ImageCandidate, ImagePolicy } from '@gantry/registry/service';
import { GpgSignatures } from './gpg/gpg-signatures.js';
import { Lookaside } from './gpg/lookaside.js';
import { matchesIdentity } from './matches-identity.js';
import { Policy, type Requirement, requirementsFor, type SignedIdentity } from './policy/policy.js';

/** Admits images that meet the requirements of their scope. */
@injectable()
export class SignaturePolicy implements ImagePolicy, ArchivePolicy {
  constructor(
    @inject(Policy) private readonly policy: Policy,
    @inject(GpgSignatures) private readonly gpg: GpgSignatures,
    @inject(Lookaside) private readonly lookaside: Lookaside,
  ) {}

  async check(image: ImageCandidate): Promise<void> {
    for (const requirement of requirementsFor(this.policy, image)) {
      const reason = await this.#reasonAgainst(requirement, image);
      if (reason === undefined) continue;
      const name = `${image.registry}/${image.path}${image.tag === undefined ? `@${image.digests[0]}` : `:${image.tag}`}`;
      throw forbidden(`the image policy does not allow ${name}: ${reason}`);
    }
  }

  checkArchive(transport: ArchiveTransport): void {
    const requirements = this.policy.archives[transport] ?? this.policy.fallback;
    if (requirements.every(({ type }) => type === 'insecureAcceptAnything')) return;
    const isRejected = requirements.some(({ type }) => type === 'reject');
    const reason = isRejected ? 'they are rejected' : 'they carry no signatures';
    throw forbidden(`the image policy does not allow images of the transport ${transport}: ${reason}`);
  }

  async #reasonAgainst(requirement: Requirement, image: ImageCandidate): Promise<string | undefined> {
    switch (requirement.type) {
      case 'insecureAcceptAnything':
        return undefined;
      case 'reject':
        return 'its images are rejected';
      case 'sigstoreSigned':
        return reasonAgainstAll(image.digests, async (digest) =>
          (await image.signatures(digest)).map((signature) =>
            reasonAgainstSignature(signature, digest, requirement, image),
          ),
        );
      case 'signedBy':
        return reasonAgainstAll(image.digests, async (digest) =>
          Promise.all(
            (await this.lookaside.signatures(image, digest)).map((signature) =>
              this.#reasonAgainstMessage(signature, digest, requirement, image),
            ),
          ),
        );
    }
  }

  async #reasonAgainstMessage(
    message: Buffer,
    digest: string,
    { identity, keyrings }: Extract<Requirement, { type: 'signedBy' }>,
    image: ImageCandidate,
  ): Promise<string | undefined> {
    const verified = await this.gpg.verify(message, keyrings);
    if ('reason' in verified) return verified.reason;
    return reasonAgainstPayload(verified.payload, 'atomic container signature', digest, identity, image);
  }
}

/** One valid signature is enough, of what the tag names or of the manifest for this machine. */
async function reasonAgainstAll(
  digests: readonly string[],
  reasonsAgainst: (digest: string) => Promise<readonly (string | undefined)[]>,
): Promise<string | undefined> {
  const reasons: string[] = [];
  for (const digest of digests) {
    for (const reason of await reasonsAgainst(digest)) {
      if (reason === undefined) return undefined;
      reasons.push(reason);
    }
  }
  return reasons.length === 0 ? 'it has no signature' : `it has no valid signature: ${reasons.join('; ')}`;
}

function reasonAgainstSignature(
  { payload, signature }: AttachedSignature,
  digest: string,
  { identity, keys }: Extract<Requirement, { type: 'sigstoreSigned' }>,
  image: ImageCandidate,
): string | undefined {
  const bytes = Buffer.from(signature, 'base64');
  if (!keys.some((key) => isSignedBy(key, payload, bytes))) return 'a signature is by none of the keys';
  return reasonAgainstPayload(payload, 'cosign container image signature', digest, identity, image);
}

/** Only what is signed is read. */
function reasonAgainstPayload(
  payload: Buffer,
  type: string,
  digest: string,
  identity: SignedIdentity,
  image: ImageCandidate,
): string | undefined {
  const critical = criticalOf(payload, type);
  if (critical === undefined) return 'a signature is for something other than an image';
  if (critical.digest !== digest) return `a signature is for ${critical.digest}`;
  return matchesIdentity(identity, image, critical.reference) ? undefined : `a signature is for ${critical.reference}`;
}

function isSignedBy(key: KeyObject, payload: Buffer, signature: Buffer): boolean {
  const isEdwards = key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ed448';
  return verify(isEdwards ? null : 'sha256', payload, key, signature);
}

function criticalOf(
  payload: Buffer,
  type: string,
): { readonly digest: string; readonly reference: string } | undefined {
  const document: unknown = JSON.parse(payload.toString('utf8'));
  const critical = isRecord(document) ? document.critical : undefined;
  if (!isRecord(critical) || critical.type !== type) return undefined;
  const { identity, image } = critical;
  if (!isRecord(identity) || !isRecord(image)) return undefined;
  const [digest, reference] = [image['docker-manifest-digest'], identity['docker-reference']];
  return typeof digest === 'string' && typeof reference === 'string' ? { digest, reference } : undefined;
}
