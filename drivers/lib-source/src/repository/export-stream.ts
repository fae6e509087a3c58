import { Transform, type TransformCallback } from 'node:stream';

/** Edits to a stream that `git fast-export` writes and `git fast-import` reads. */
export interface ExportEdit {
  /** An author, committer or tagger: `Name <address>`. */
  person?(person: string): string;
  /** The message of a commit. */
  message?(message: Buffer): Buffer;
  /** A file of a commit, `M mode oid path` with the path as quoted there: returns the lines that replace it. */
  file?(mode: string, oid: string, path: string): string;
  /** The removal of a path: returns the lines that replace it. */
  removal?(path: string): string;
  /** Lines to insert into a commit without parents. */
  root?(): string;
}

const newline = 0x0a;
const personLine = /^(author|committer|tagger) (.*>) (\S+ \S+)$/;

/**
 * Edits a stream in passing. Contents are skipped by their declared length, so nothing in a message or a file is parsed as
 * a command.
 */
export class ExportStream extends Transform {
  #rest: Buffer = Buffer.alloc(0);
  #out: (string | Buffer)[] = [];
  /** Bytes of the current content not yet read. */
  #dataLeft = 0;
  #message: Buffer[] | undefined;
  /** Whether the next content is a commit's message. */
  #inCommit = false;
  #isRootPending = false;

  constructor(private readonly edit: ExportEdit) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    try {
      for (;;) {
        if (this.#dataLeft > 0) {
          const part = this.#rest.subarray(at, at + this.#dataLeft);
          if (part.length === 0) break;
          at += part.length;
          this.#takeData(part);
          continue;
        }
        const end = this.#rest.indexOf(newline, at);
        if (end < 0) break;
        this.#takeLine(this.#rest.subarray(at, end));
        at = end + 1;
      }
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#rest = this.#rest.subarray(at);
    this.#send();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endHeader();
    if (this.#rest.length > 0) this.#out.push(this.#rest);
    this.#send();
    done();
  }

  #send(): void {
    if (this.#out.length === 0) return;
    this.push(Buffer.concat(this.#out.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))));
    this.#out = [];
  }

  #takeData(part: Buffer): void {
    this.#dataLeft -= part.length;
    if (this.#message === undefined) this.#out.push(part);
    else this.#message.push(part);
    if (this.#dataLeft > 0 || this.#message === undefined) return;
    const whole = Buffer.concat(this.#message);
    this.#message = undefined;
    const edited = this.edit.message?.(whole) ?? whole;
    this.#out.push(`data ${edited.length}\n`, edited, '\n');
  }

  #takeLine(bytes: Buffer): void {
    // Names and paths are bytes in any encoding; latin1 preserves them.
    const line = bytes.toString('latin1');
    const [command = ''] = line.split(' ', 1);
    switch (command) {
      case 'commit':
        this.#endHeader();
        this.#inCommit = true;
        this.#isRootPending = true;
        break;
      case 'blob':
      case 'tag':
      case 'reset':
        this.#endHeader();
        this.#inCommit = false;
        break;
      case 'from':
        this.#isRootPending = false;
        break;
      case 'data':
        this.#takeDataLine(line);
        return;
      case 'author':
      case 'committer':
      case 'tagger':
        this.#out.push(`${this.#person(line)}\n`);
        return;
      case 'M': {
        this.#endHeader();
        const [, mode = '', oid = '', path = ''] = /^M (\S+) (\S+) (.*)$/.exec(line) ?? [];
        this.#out.push(this.edit.file?.(mode, oid, path) ?? `${line}\n`);
        return;
      }
      case 'D':
        this.#endHeader();
        this.#out.push(this.edit.removal?.(line.slice(2)) ?? `${line}\n`);
        return;
      case '':
        this.#endHeader();
        break;
    }
    this.#out.push(`${line}\n`);
  }

  #takeDataLine(line: string): void {
    this.#dataLeft = Number(line.slice('data '.length));
    if (this.#inCommit && this.edit.message !== undefined) {
      this.#message = [];
      if (this.#dataLeft > 0) return;
      this.#message = undefined;
    }
    this.#out.push(`${line}\n`);
  }

  /** Called after a commit's header: without a `from` line it is a root commit. */
  #endHeader(): void {
    if (!this.#inCommit || !this.#isRootPending) return;
    this.#isRootPending = false;
    const root = this.edit.root?.();
    if (root !== undefined) this.#out.push(root);
  }

  #person(line: string): string {
    const [, role, person, when] = personLine.exec(line) ?? [];
    if (person === undefined || this.edit.person === undefined) return line;
    const edited = this.edit.person(Buffer.from(person, 'latin1').toString('utf8'));
    return `${role} ${Buffer.from(edited, 'utf8').toString('latin1')} ${when}`;
  }
}
