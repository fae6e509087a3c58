import type {
  CertificateAuthorityDriver,
  CertificateRequest,
  CreateRootOptions,
  IssueOptions,
  PublicRoot,
  RootCertificate,
} from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import type { Issuer } from './certificates.js';
import { signByCfssl } from './sign-by-cfssl.js';

/** Issues certificates in this process. The library for that is loaded by the first call. */
@injectable()
export class LocalCertificateAuthority implements CertificateAuthorityDriver {
  /** Of the root that has issued last. */
  #issuer: { readonly certificate: string; readonly key: string; readonly read: Promise<Issuer> } | undefined;

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
    const { checkRequest, issueByRoot, readIssuer } = await certificates();
    if (issuer.type === 'root') {
      const { certificate, key } = issuer.root;
      if (this.#issuer?.certificate !== certificate || this.#issuer.key !== key) {
        this.#issuer = { certificate, key, read: readIssuer({ certificate, key }) };
      }
      return (await issueByRoot(request, options, await this.#issuer.read)) + (issuer.chain ?? '');
    }
    await checkRequest(request);
    return signByCfssl(request, options, issuer);
  }

  async crossSign(root: PublicRoot, issuer: RootCertificate): Promise<string> {
    return (await certificates()).crossSign(root, issuer);
  }
}

const certificates = () => import('./certificates.js');
