/** Frames of a multiplexed stream, joined by stream. */
interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Takes a multiplexed stream apart. */
export function outputOf(bytes: Buffer): Output {
  const output = { stdout: '', stderr: '' };
  let rest = bytes;
  while (rest.length >= 8) {
    const stream = rest[0] === 2 ? 'stderr' : 'stdout';
    const end = 8 + rest.readUInt32BE(4);
    output[stream] += rest.subarray(8, end).toString();
    rest = rest.subarray(end);
  }
  if (rest.length > 0) throw new Error(`half a frame: ${rest.toString('hex')}`);
  return output;
}
