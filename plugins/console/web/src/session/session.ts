import { ApiError, messageOf } from '../api/api-error';
import { send, signedOutAnswers } from '../api/request';
import { Store } from '../store/store';

export type Session =
  | { readonly state: 'unknown' }
  | { readonly state: 'unreachable' }
  | { readonly state: 'signed-out' }
  /** `since`: seconds since 1970 by the engine's clock, before anything was read from it. */
  | { readonly state: 'signed-in'; readonly user: string; readonly since: number };

export const session = new Store<Session>({ state: 'unknown' });

const pause = 2_000;

signedOutAnswers.subscribe(() => session.set({ state: 'signed-out' }));

async function accept(response: Response): Promise<void> {
  const { user } = (await response.json()) as { user: string };
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
  session.set({ state: 'signed-in', user, since: Math.floor(now / 1000) });
}

/** Asks for the session of this browser, and again until the engine answers. */
export async function restoreSession(): Promise<void> {
  for (;;) {
    try {
      return await accept(await send('/session'));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return session.set({ state: 'signed-out' });
      session.set({ state: 'unreachable' });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** @returns why it failed */
export async function signIn(token: string): Promise<string | undefined> {
  try {
    await accept(await send('/session', { method: 'POST', body: { token } }));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export async function signOut(): Promise<void> {
  await send('/session', { method: 'DELETE' });
  session.set({ state: 'signed-out' });
}
