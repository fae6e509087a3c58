import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { Launcher } from '@gantry/lib-linux/launcher';

/** What is signed, or why the signature does not count. */
type Verified = { readonly payload: Buffer } | { readonly reason: string };

/** Checks signatures of OpenPGP by the program gpgv, which trusts exactly the keys that it is given. */
@injectable()
export class GpgSignatures {
  constructor(
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
  ) {}

  /** Rejects `invalid-argument` on a host without gpgv. */
  async requireProgram(): Promise<void> {
    const { code } = await this.launcher.run('gpgv', ['--version']).catch((cause) => {
      throw missing(cause);
    });
    if (code !== 0) throw missing();
  }

  /** @param signature a signed message, as it is kept in a lookaside. @param keyrings in binary form. */
  async verify(signature: Buffer, keyrings: readonly Buffer[]): Promise<Verified> {
    const directory = await mkdtemp(path.join(this.directories.state, 'signature-'));
    try {
      const files = keyrings.map((_, index) => path.join(directory, `keys-${index}.gpg`));
      await Promise.all(files.map((file, index) => writeFile(file, keyrings[index] ?? '')));
      const message = path.join(directory, 'message');
      const payload = path.join(directory, 'payload');
      await writeFile(message, signature);
      const { code, stdout } = await this.launcher.run('gpgv', [
        ...['--homedir', directory, '--status-fd', '1', '--output', payload],
        ...files.flatMap((file) => ['--keyring', file]),
        message,
      ]);
      const reason = reasonAgainst(code, stdout.toString('utf8'));
      return reason === undefined ? { payload: await readFile(payload) } : { reason };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

/** Exactly one signature, and that one good: gpgv also exits with 0 when keys have expired since. */
function reasonAgainst(code: number | undefined, status: string): string | undefined {
  const words = [...status.matchAll(/^\[GNUPG:\] (\w+)/gm)].map(([, word = '']) => word);
  const count = (word: string) => words.filter((each) => each === word).length;
  if (count('NO_PUBKEY') > 0) return 'a signature is by none of the keys';
  if (count('EXPKEYSIG') > 0 || count('EXPSIG') > 0) return 'a signature or its key has expired';
  if (count('REVKEYSIG') > 0) return 'the key of a signature is revoked';
  if (count('BADSIG') > 0 || count('ERRSIG') > 0) return 'a signature is damaged';
  return code === 0 && count('GOODSIG') === 1 && count('VALIDSIG') === 1
    ? undefined
    : 'a signature is not a message that was signed once';
}

const missing = (cause?: unknown) =>
  invalidArgument('signatures by GPG keys (signedBy) need the program gpgv: install it, such as by the package gpgv', {
    cause,
  });
