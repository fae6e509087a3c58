/** The message of an error that the engine answered; a body that is not JSON is the message. */
export function messageIn(body: string): string {
  try {
    return (JSON.parse(body) as { message: string }).message;
  } catch {
    return body;
  }
}
