import type {
  CertificateAuthorityDriver,
  CertificateRequest,
  CreateRootOptions,
  IssueOptions,
  PublicRoot,
  RootCertificate,
} from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { signByCfssl } from './sign-by-cfssl.js';

/** Issues certificates in this process. The library for that is loaded by the first call. */
@injectable()
export class LocalCertificateAuthority implements CertificateAuthorityDriver {
  async createRoot(options: CreateRootOptions): Promise<RootCertificate> {
    return (await certificates()).createRoot(options);
  }

  async importRoot(certificate: string, key: string): Promise<RootCertificate>;
  async importRoot(certificate: string, key: undefined): Promise<PublicRoot>;
  async importRoot(certificate: string, key: string | undefined): Promise<PublicRoot> {
    const { importPublicRoot, importRoot } = await certificates();
    return key === undefined ? importPublicRoot(certificate) : importRoot(certificate, key);
  }

  async createRequest(): Promise<CertificateRequest> {
    return (await certificates()).createRequest();
  }

  async issue(request: string, { issuer, ...options }: IssueOptions): Promise<string> {
    const { checkRequest, issueByRoot } = await certificates();
    if (issuer.type === 'root') return (await issueByRoot(request, options, issuer.root)) + (issuer.chain ?? '');
    await checkRequest(request);
    return signByCfssl(request, options, issuer);
  }

  async crossSign(root: PublicRoot, issuer: RootCertificate): Promise<string> {
    return (await certificates()).crossSign(root, issuer);
  }
}

const certificates = () => import('./certificates.js');
