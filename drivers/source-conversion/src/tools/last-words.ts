const most = 2048;

/** The end of what a program says. */
export class LastWords {
  #text = '';

  add(line: string): void {
    this.#text = `${this.#text}${line}\n`.slice(-4 * most);
  }

  /** Up to 2 KiB, without displays of progress, which say nothing of why it ended. */
  toString(): string {
    const lines = this.#text.split('\n').filter((line) => !/\d+% \(\d+\/\d+\)|\[=*[> ]+\]/.test(line));
    return lines.join('\n').trim().slice(-most);
  }
}
