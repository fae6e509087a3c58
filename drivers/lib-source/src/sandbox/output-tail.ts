const maxLength = 2048;

/** The end of what a program printed, for error messages. */
export class OutputTail {
  #text = '';

  add(line: string): void {
    this.#text = `${this.#text}${line}\n`.slice(-4 * maxLength);
  }

  /** Up to 2 KiB, without progress displays, which do not explain a failure. */
  toString(): string {
    const lines = this.#text.split('\n').filter((line) => !/\d+% \(\d+\/\d+\)|\[=*[> ]+\]/.test(line));
    return lines.join('\n').trim().slice(-maxLength);
  }
}
