import { useState } from 'preact/hooks';
import { TextField } from '../components/fields';
import { signIn } from '../session/session';

export function SignIn() {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(await signIn(token.trim()));
    setBusy(false);
  };
  return (
    <section class="sign-in" aria-labelledby="sign-in">
      <h1 id="sign-in">Sign in</h1>
      <p>
        Run <code>gantryd console</code> on the engine's host: it prints a token that signs in once.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <TextField label="Token" type="password" required value={token} onChange={setToken} />
        <p class="problem" role="alert">
          {problem !== undefined && `Signing in failed: ${problem}`}
        </p>
        <button type="submit" class="button primary" disabled={busy}>
          Sign in
        </button>
      </form>
    </section>
  );
}
