import { type KeyObject, verify } from 'node:crypto';
import { isRecord } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import type { ArchivePolicy, ArchiveTransport } from '@gantry/images/service';
import type { AttachedSignature, ImageCandidate, ImagePolicy } from '@gantry/registry/service';
import { matchesIdentity } from './matches-identity.js';
import { type Policy, type Requirement, requirementsFor } from './policy/policy.js';

/** Admits images that meet the requirements of their scope. */
export class SignaturePolicy implements ImagePolicy, ArchivePolicy {
  constructor(private readonly policy: Policy) {}

  async check(image: ImageCandidate): Promise<void> {
    for (const requirement of requirementsFor(this.policy, image)) {
      const reason = await reasonAgainst(requirement, image);
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
}

type Signed = Extract<Requirement, { type: 'sigstoreSigned' }>;

async function reasonAgainst(requirement: Requirement, image: ImageCandidate): Promise<string | undefined> {
  switch (requirement.type) {
    case 'insecureAcceptAnything':
      return undefined;
    case 'reject':
      return 'its images are rejected';
    case 'sigstoreSigned':
      return reasonAgainstSignatures(requirement, image);
  }
}

/** One valid signature is enough, of what the tag names or of the manifest for this machine. */
async function reasonAgainstSignatures(required: Signed, image: ImageCandidate): Promise<string | undefined> {
  const reasons: string[] = [];
  for (const digest of image.digests) {
    for (const signature of await image.signatures(digest)) {
      const reason = reasonAgainstSignature(signature, digest, required, image);
      if (reason === undefined) return undefined;
      reasons.push(reason);
    }
  }
  return reasons.length === 0 ? 'it has no signature' : `it has no valid signature: ${reasons.join('; ')}`;
}

function reasonAgainstSignature(
  { payload, signature }: AttachedSignature,
  digest: string,
  { identity, keys }: Signed,
  image: ImageCandidate,
): string | undefined {
  const bytes = Buffer.from(signature, 'base64');
  if (!keys.some((key) => isSignedBy(key, payload, bytes))) return 'a signature is by none of the keys';
  // Only what is signed is read.
  const critical = criticalOf(payload);
  if (critical === undefined) return 'a signature is for something other than an image';
  if (critical.digest !== digest) return `a signature is for ${critical.digest}`;
  return matchesIdentity(identity, image, critical.reference) ? undefined : `a signature is for ${critical.reference}`;
}

function isSignedBy(key: KeyObject, payload: Buffer, signature: Buffer): boolean {
  const isEdwards = key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ed448';
  return verify(isEdwards ? null : 'sha256', payload, key, signature);
}

function criticalOf(payload: Buffer): { readonly digest: string; readonly reference: string } | undefined {
  const { critical } = JSON.parse(payload.toString('utf8')) as { readonly critical?: unknown };
  if (!isRecord(critical) || critical.type !== 'cosign container image signature') return undefined;
  const { identity, image } = critical;
  if (!isRecord(identity) || !isRecord(image)) return undefined;
  const [digest, reference] = [image['docker-manifest-digest'], identity['docker-reference']];
  return typeof digest === 'string' && typeof reference === 'string' ? { digest, reference } : undefined;
}
